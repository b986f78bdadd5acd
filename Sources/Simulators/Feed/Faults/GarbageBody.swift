// Bodies with status 200 that are not what they should be.

import ScoreTypes

/// Writes garbage, some of it out of the true reply.
enum GarbageBody {
    /// How deep the nested body is; parsers that recurse die of less.
    static let depth = 10_000

    /// The body of a fault; the true one for a fault that has no body of its own.
    static func body(_ fault: FeedFault, of body: [UInt8], part: Int) -> [UInt8] {
        switch fault {
        case .html: return Array("<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>".utf8)
        case .empty: return []
        case .nul: return [UInt8](repeating: 0, count: max(1, body.count))
        case .utf16: return wide(body)
        case .bom: return [0xef, 0xbb, 0xbf] + body
        case .duplicateKeys: return doubled(body)
        case .deepNesting:
            return [UInt8](repeating: UInt8(ascii: "["), count: depth)
                + [UInt8](repeating: UInt8(ascii: "]"), count: depth)
        case .hugeNumber: return Array(#"{"data":1e400,"response":1e400,"info":1e400,"status":1e400}"#.utf8)
        case .loneSurrogate:
            return Array(#"{"data":"\ud800","status":"\udc00","info":"\ud800x","response":"\udfff"}"#.utf8)
        case .drift: return drifted(body, part: part)
        case .emptyList: return EmptiedLists(onlyLast: part.isMultiple(of: 2)).body(of: body)
        default: return body
        }
    }

    /// UTF-16 with its mark, little end first.
    private static func wide(_ body: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0xff, 0xfe]
        for unit in String(decoding: body, as: UTF8.self).utf16 {
            result.append(UInt8(truncatingIfNeeded: unit))
            result.append(UInt8(truncatingIfNeeded: unit >> 8))
        }
        return result
    }

    /// Each key at the top twice, the second time with nothing in it.
    private static func doubled(_ body: [UInt8]) -> [UInt8] {
        guard body.last == UInt8(ascii: "}"), let top = members(of: body) else { return body }
        let again = top.map { ",\"\($0.name)\":null" }.joined()
        return body.dropLast() + Array(again.utf8) + [UInt8(ascii: "}")]
    }

    /// The largest thing at the top renamed, left out, or turned into a text.
    private static func drifted(_ body: [UInt8], part: Int) -> [UInt8] {
        guard let top = members(of: body) else { return [] }
        let largest = top.max { size($0.value) < size($1.value) }?.name
        let drifted = top.compactMap { name, value -> [UInt8]? in
            let content = body[value.range]
            guard name == largest else { return Array("\"\(name)\":".utf8) + content }
            switch part % 3 {
            case 0: return Array("\"\(name)_v3\":".utf8) + content
            case 1: return nil
            default: return Array("\"\(name)\":\"moved\"".utf8)
            }
        }
        return Array("{".utf8) + drifted.joined(separator: Array(",".utf8)) + Array("}".utf8)
    }

    /// The members of a reply; nil for one that is no object.
    private static func members(of body: [UInt8]) -> [(name: String, value: JSONElement)]? {
        (try? JSONElement(parsing: body, .lenient))?.members
    }

    private static func size(_ value: JSONElement) -> Int { value.elements?.count ?? value.members?.count ?? 0 }
}
