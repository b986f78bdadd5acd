// From one reply to the next a row or two change; a row with the same bytes is not decoded again.

internal import Synchronization

/// An element of a long array that changes little from one text to the next; its value follows from its bytes alone.
public protocol JSONRow: Decodable, Sendable {}

/// The decoded rows of a text, kept for the next text of its kind.
public struct JSONRows: Sendable {
    struct Row: Sendable {
        let node: Int
        let value: any JSONRow
    }

    let table: JSONTable
    /// By the path of their array.
    let arrays: [String: [Row]]
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
    private let decoded = Mutex<[String: [JSONRows.Row]]>([:])

    init(_ earlier: JSONRows?) { self.earlier = earlier }

    /// The rows that were decoded, by the path of their array.
    var arrays: [String: [JSONRows.Row]] { decoded.withLock { $0 } }

    /// The rows of one array.
    struct Array {
        private let reuse: JSONRowReuse
        private let path: String
        private let total: Int
        private let earlier: [JSONRows.Row]
        private var rows: [JSONRows.Row] = []

        init(_ reuse: JSONRowReuse, path: String, total: Int) {
            self.reuse = reuse
            self.path = path
            self.total = total
            earlier = reuse.earlier?.arrays[path] ?? []
            rows.reserveCapacity(total)
        }

        /// Decodes the next row, or takes the one that had its bytes.
        mutating func decode<Value: Decodable>(_ type: Value.Type, from element: JSONElement) throws -> Value {
            let known = row(like: element)
            let value = try known?.value as? Value ?? Value(from: element)
            guard let kept = known?.value ?? value as? any JSONRow else { return value }
            rows.append(JSONRows.Row(node: element.node, value: kept))
            if rows.count == total { reuse.decoded.withLock { $0[path] = rows } }
            return value
        }

        /// The row of the text before at the same place, counted from the front or from the end: in between lies what
        /// was added, removed or changed.
        private func row(like element: JSONElement) -> JSONRows.Row? {
            let (front, back) = (rows.count, rows.count + earlier.count - total)
            if earlier.indices.contains(front), reuse.isSame(earlier[front], element) { return earlier[front] }
            if earlier.indices.contains(back), reuse.isSame(earlier[back], element) { return earlier[back] }
            return nil
        }
    }

    private func isSame(_ row: JSONRows.Row, _ element: JSONElement) -> Bool {
        guard let known = earlier?.table else { return false }
        let (old, new) = (known.nodes[row.node], element.table.nodes[element.node])
        guard old.end - old.start == new.end - new.start else { return false }
        return element.table.bytes.withUnsafeBytes { known.hasSameBytes(old, as: $0, at: Int(new.start)) }
    }
}
