// From one reply to the next a row or two change; a row with the same bytes is not decoded again.

internal import Synchronization

/// An element of a long array that changes little from one text to the next; its value follows from its bytes alone.
public protocol JSONRow: Decodable, Sendable {}

/// The decoded rows of a text, kept for the next text of its kind.
public struct JSONRows: Sendable {
    /// The rows of one array.
    struct Decoded<Row: JSONRow>: Sendable {
        /// The node of each row.
        let nodes: [Int]
        let values: [Row]
    }

    let table: JSONTable
    /// A `Decoded` by the path of its array.
    let arrays: [String: any Sendable]
}

extension JSONElement {
    /// Decodes a reply, and takes rows that have not changed from the reply before.
    ///
    /// - Parameters:
    ///   - type: The type of the reply.
    ///   - body: The reply.
    ///   - earlier: The rows of the reply before; the value does not depend on it.
    /// - Returns: The value, and the rows to keep for the next reply; nil when the type has none.
    /// - Throws: `JSONSyntaxError`, `JSONError`, or what an initializer of the type throws itself.
    public static func read<Value: Decodable>(
        _ type: Value.Type,
        from body: [UInt8],
        after earlier: JSONRows?
    ) throws -> (value: Value, rows: JSONRows?) {
        let reuse = JSONRowReuse(earlier)
        let table = try lenient(body, rows: reuse)
        let value = try Value(from: JSONElement(table, 0))
        let arrays = reuse.arrays
        return (value, arrays.isEmpty ? nil : JSONRows(table: JSONTable(copying: table), arrays: arrays))
    }
}

/// The rows of the text before, and those of the text that is being decoded.
final class JSONRowReuse: Sendable {
    let earlier: JSONRows?
    private let decoded = Mutex<[String: any Sendable]>([:])

    init(_ earlier: JSONRows?) { self.earlier = earlier }

    /// The rows that were decoded, by the path of their array.
    var arrays: [String: any Sendable] { decoded.withLock { $0 } }

    /// Keeps the rows of an array.
    func keep(_ rows: some Sendable, at path: String) { decoded.withLock { $0[path] = rows } }

    /// How many rows at the front and at the end have the bytes that they had before: in between lies what was added,
    /// removed or changed.
    func unchanged(_ old: [Int], _ new: [Int], in table: JSONTable) -> (front: Int, end: Int) {
        guard let known = earlier?.table else { return (0, 0) }
        return table.bytes.withUnsafeBytes { bytes in
            func isSame(_ old: Int, _ new: Int) -> Bool {
                let (old, new) = (known.nodes[old], table.nodes[new])
                return old.end - old.start == new.end - new.start
                    && known.hasSameBytes(old, as: bytes, at: Int(new.start))
            }
            var (front, end) = (0, 0)
            let most = min(old.count, new.count)
            while front < most, isSame(old[front], new[front]) { front += 1 }
            while end < most - front, isSame(old[old.count - 1 - end], new[new.count - 1 - end]) { end += 1 }
            return (front, end)
        }
    }
}

/// An array whose elements are rows.
protocol JSONRowArray {
    /// Decodes the rows that have changed, and takes the others.
    init(rows array: JSONElement, _ reuse: JSONRowReuse) throws
}

extension Array: JSONRowArray where Element: JSONRow {
    init(rows array: JSONElement, _ reuse: JSONRowReuse) throws {
        let (nodes, path) = (array.children { $0 }, array.path)
        let known = reuse.earlier?.arrays[path] as? JSONRows.Decoded<Element>
        let (front, end) = reuse.unchanged(known?.nodes ?? [], nodes, in: array.table)
        var values = Array(known?.values.prefix(front) ?? [])
        values.reserveCapacity(nodes.count)
        for node in nodes[front..<nodes.count - end] {
            values.append(try Element(from: JSONElement(array.table, node)))
        }
        values += known?.values.suffix(end) ?? []
        reuse.keep(JSONRows.Decoded(nodes: nodes, values: values), at: path)
        self = values
    }
}
