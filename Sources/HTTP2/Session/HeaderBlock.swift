// Headers of one message in one buffer, so that reading a million answers allocates next to nothing.

/// Headers as they arrived: names in lower case.
public struct HeaderBlock: Sendable {
    /// Longest block in bytes that is kept; more is a mistake or an attack, and the rest is dropped.
    public static let byteCountMax = 16 * 1024

    private struct Field {
        let start: Int32
        let nameCount: Int32
        let valueCount: Int32
    }

    private var bytes: [UInt8] = []
    private var fields: [Field] = []
    /// Whether something did not fit.
    public private(set) var isTruncated = false

    init() {}

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        fields.removeAll(keepingCapacity: true)
        isTruncated = false
    }

    mutating func add(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        guard bytes.count + name.count + value.count <= Self.byteCountMax else {
            isTruncated = true
            return
        }
        let start = Int32(bytes.count)
        bytes.append(contentsOf: name)
        bytes.append(contentsOf: value)
        fields.append(Field(start: start, nameCount: Int32(name.count), valueCount: Int32(value.count)))
    }

    /// Calls with the first value of a header, nil when it is absent; valid during the call only.
    public func withValue<R>(_ name: StaticString, _ body: (UnsafeBufferPointer<UInt8>?) -> R) -> R {
        bytes.withUnsafeBufferPointer { all in
            for field in fields where Int(field.nameCount) == name.utf8CodeUnitCount {
                let start = Int(field.start)
                let key = UnsafeBufferPointer(rebasing: all[start..<start + Int(field.nameCount)])
                guard name.withUTF8Buffer({ key.elementsEqual($0) }) else { continue }
                let from = start + Int(field.nameCount)
                return body(UnsafeBufferPointer(rebasing: all[from..<from + Int(field.valueCount)]))
            }
            return body(nil)
        }
    }

    /// The first value of a header as text; nil when it is absent.
    public func text(_ name: StaticString) -> String? {
        withValue(name) { $0.map { String(decoding: $0, as: UTF8.self) } }
    }

    /// How many fields of a name there are.
    public func count(of name: String) -> Int { all.filter { $0.name == name }.count }

    /// All fields in order, for tests and journals.
    public var all: [(name: String, value: String)] {
        fields.map { field in
            let start = Int(field.start)
            let middle = start + Int(field.nameCount)
            return (
                String(decoding: bytes[start..<middle], as: UTF8.self),
                String(decoding: bytes[middle..<middle + Int(field.valueCount)], as: UTF8.self)
            )
        }
    }
}

/// Headers of an answer.
public typealias ResponseHeaders = HeaderBlock
