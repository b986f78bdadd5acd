// From one reply to the next a row or two change; a row with the same bytes is not decoded again.

internal import Glibc
internal import Synchronization

/// An element of a long array that changes little from one text to the next; its value follows from its bytes alone.
public protocol JSONRow: Decodable, Sendable {}

/// The decoded rows of a text, kept for the next text of its kind.
public struct JSONRows: Sendable {
    struct Row: Sendable {
        let start: Int
        let end: Int
        let value: any JSONRow
    }

    let bytes: [UInt8]
    /// By the path of their array.
    let arrays: [String: [Row]]

    func hasSameBytes(_ row: Row, as other: [UInt8], _ start: Int, _ end: Int) -> Bool {
        guard row.end - row.start == end - start else { return false }
        return bytes.withUnsafeBytes { own in
            other.withUnsafeBytes { other in
                guard let own = own.baseAddress, let other = other.baseAddress else { return false }
                return memcmp(own + row.start, other + start, end - start) == 0
            }
        }
    }
}

extension JSONElement {
    /// Decodes a reply, and takes rows that have not changed from the reply before.
    ///
    /// - Parameters:
    ///   - type: The type of the reply.
    ///   - body: The reply.
    ///   - earlier: What was kept of the reply before; the value does not depend on it.
    /// - Returns: The value, and the rows to keep for the next reply.
    /// - Throws: `JSONSyntaxError`, `JSONError`, or what an initializer of the type throws itself.
    public static func read<Value: Decodable>(
        _ type: Value.Type,
        from body: [UInt8],
        after earlier: JSONRows?
    ) throws -> (value: Value, rows: JSONRows) {
        let reuse = JSONRowReuse(earlier)
        let table = try lenient(body, rows: reuse)
        let value = try Value(from: JSONElement(table, 0))
        return (value, JSONRows(bytes: table.bytes, arrays: reuse.arrays))
    }
}

/// The rows of the text before, and those of the text that is being decoded.
final class JSONRowReuse: Sendable {
    private let earlier: JSONRows?
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
            let node = element.table.nodes[element.node]
            let (start, end) = (Int(node.start), Int(node.end))
            let known = row(element.table.bytes, start, end)
            let value = try known?.value as? Value ?? Value(from: element)
            guard let kept = known?.value ?? value as? any JSONRow else { return value }
            rows.append(JSONRows.Row(start: start, end: end, value: kept))
            if rows.count == total { reuse.decoded.withLock { $0[path] = rows } }
            return value
        }

        /// The row of the text before at the same place, counted from the front or from the end: in between lies what
        /// was added, removed or changed.
        private func row(_ bytes: [UInt8], _ start: Int, _ end: Int) -> JSONRows.Row? {
            let (front, back) = (rows.count, rows.count + earlier.count - total)
            if earlier.indices.contains(front), reuse.isSame(earlier[front], bytes, start, end) {
                return earlier[front]
            }
            if earlier.indices.contains(back), reuse.isSame(earlier[back], bytes, start, end) { return earlier[back] }
            return nil
        }
    }

    private func isSame(_ row: JSONRows.Row, _ bytes: [UInt8], _ start: Int, _ end: Int) -> Bool {
        earlier?.hasSameBytes(row, as: bytes, start, end) ?? false
    }
}
