// Header fields that thousands of messages share are laid out once, not once for each message.

internal import CNghttp2
internal import Glibc

/// One header field of a template.
public struct HeaderField: Sendable {
    /// Lower-case name.
    public let name: String
    /// Value, as it goes on the wire.
    public let value: String
    /// Whether HPACK may remember it; keep values that seldom return, and secrets, out.
    public let isIndexed: Bool

    /// Makes a field; upper-case letters in the name are lowered, as HTTP/2 demands.
    public init(_ name: String, _ value: String, isIndexed: Bool = true) {
        self.name = name.lowercased()
        self.value = value
        self.isIndexed = isIndexed
    }
}

/// A field whose value changes with each message; it never enters HPACK's table, where it would evict the constants.
public struct ExtraHeader {
    /// Lower-case name.
    public let name: StaticString
    /// Value; has to stay valid during the call that takes it.
    public let value: UnsafeRawBufferPointer

    /// Makes a field over the caller's memory.
    public init(_ name: StaticString, _ value: UnsafeRawBufferPointer) {
        self.name = name
        self.value = value
    }
}

/// Constant header fields of requests or answers, ready for the wire.
public final class HeaderTemplate: Sendable {
    private let storage: Storage

    /// Lays out fields; pseudo-header fields (`:method` …) have to come first.
    public init(_ fields: [HeaderField]) {
        storage = Storage(fields)
    }

    /// Lays out a request's fields with their pseudo-header fields; `:path` is given with each request.
    public convenience init(method: String = "POST", authority: String, fields: [HeaderField]) {
        let pseudo = [
            HeaderField(":method", method), HeaderField(":scheme", "https"), HeaderField(":authority", authority),
        ]
        self.init(pseudo + fields)
    }

    deinit {
        storage.bytes.deallocate()
        storage.fields.deallocate()
    }

    /// The value of a field as it was given, for transports that are simulated; nil when it has none.
    public func value(of name: String) -> String? {
        for field in fields where UnsafeBufferPointer(start: field.name, count: field.namelen).elementsEqual(name.utf8)
        {
            return String(decoding: UnsafeBufferPointer(start: field.value, count: field.valuelen), as: UTF8.self)
        }
        return nil
    }

    var fields: UnsafeBufferPointer<nghttp2_nv> { UnsafeBufferPointer(storage.fields) }

    /// C memory that is written before anybody else can see it, then only read.
    private struct Storage: @unchecked Sendable {
        let bytes: UnsafeMutablePointer<UInt8>
        let fields: UnsafeMutableBufferPointer<nghttp2_nv>

        init(_ source: [HeaderField]) {
            let size = source.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
            bytes = .allocate(capacity: max(1, size))
            fields = .allocate(capacity: source.count)
            var position = bytes
            for (index, field) in source.enumerated() {
                var view = nghttp2_nv()
                view.name = position
                view.namelen = field.name.utf8.count
                for byte in field.name.utf8 {
                    position.initialize(to: byte)
                    position += 1
                }
                view.value = position
                view.valuelen = field.value.utf8.count
                for byte in field.value.utf8 {
                    position.initialize(to: byte)
                    position += 1
                }
                view.flags = FieldList.noCopy | (field.isIndexed ? 0 : FieldList.noIndex)
                fields.initializeElement(at: index, to: view)
            }
        }
    }
}

/// The list of fields of the message being submitted; its memory is used again.
struct FieldList {
    static let noIndex = UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue)
    static let noCopyName = UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue)
    static let noCopy = noCopyName | UInt8(NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue)

    private var list: ContiguousArray<nghttp2_nv> = []

    mutating func start() { list.removeAll(keepingCapacity: true) }

    mutating func append(_ name: StaticString, _ value: UnsafeRawBufferPointer, isIndexed: Bool) {
        var view = nghttp2_nv()
        view.name = UnsafeMutablePointer(mutating: name.utf8Start)
        view.namelen = name.utf8CodeUnitCount
        view.value = UnsafeMutablePointer(mutating: value.assumingMemoryBound(to: UInt8.self).baseAddress)
        view.valuelen = value.count
        view.flags = Self.noCopyName | (isIndexed ? 0 : Self.noIndex)
        list.append(view)
    }

    mutating func append(_ template: HeaderTemplate) { list.append(contentsOf: template.fields) }

    mutating func withFields<Result>(_ body: (UnsafeMutablePointer<nghttp2_nv>?, Int) -> Result) -> Result {
        list.withUnsafeMutableBufferPointer { body($0.baseAddress, $0.count) }
    }
}
