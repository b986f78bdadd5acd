// Bodies with status 200 that are not what they should be.

import Foundation

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
        guard body.last == UInt8(ascii: "}"),
            let top = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        else { return body }
        let again = top.keys.sorted().map { ",\"\($0)\":null" }.joined()
        return body.dropLast() + Array(again.utf8) + [UInt8(ascii: "}")]
    }

    /// The largest thing at the top renamed, left out, or turned into a text.
    private static func drifted(_ body: [UInt8], part: Int) -> [UInt8] {
        guard var top = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] else { return [] }
        let key = top.keys.sorted().max { size(top[$0]) < size(top[$1]) } ?? ""
        let value = top.removeValue(forKey: key)
        switch part % 3 {
        case 0: top["\(key)_v3"] = value
        case 1: break
        default: top[key] = "moved"
        }
        return (try? JSONSerialization.data(withJSONObject: top, options: .sortedKeys)).map(Array.init) ?? []
    }

    private static func size(_ value: Any?) -> Int {
        switch value {
        case let object as [String: Any]: 1 + object.count
        case let list as [Any]: 1 + list.count
        default: 0
        }
    }
}
