// Header fields that thousands of messages share are laid out once.

internal import CNghttp2
internal import Glibc

/// One header field of a template.
public struct HeaderField: Sendable {
    /// Lower-case name.
    public let name: String
    /// Value as sent.
    public let value: String
    /// Whether HPACK may store it; false for secrets and for values that seldom repeat.
    public let isIndexed: Bool

    /// Makes a field; the name is converted to lower case, as HTTP/2 requires.
    public init(_ name: String, _ value: String, isIndexed: Bool = true) {
        self.name = name.lowercased()
        self.value = value
        self.isIndexed = isIndexed
    }
}

/// A field with a new value in each message; it never enters HPACK's table, where it would evict constant fields.
public struct ExtraHeader {
    /// Lower-case name.
    public let name: StaticString
    /// Value; must stay valid during the call that takes it.
    public let value: UnsafeRawBufferPointer

    /// Makes a field over the caller's memory.
    public init(_ name: StaticString, _ value: UnsafeRawBufferPointer) {
        self.name = name
        self.value = value
    }
}

/// Constant header fields of requests or responses, in nghttp2's layout.
public final class HeaderTemplate: Sendable {
    // C memory that is written before any other thread can read it, then only read.
    nonisolated(unsafe) private let bytes: UnsafeMutablePointer<UInt8>
    // C memory as above.
    nonisolated(unsafe) private let views: UnsafeMutableBufferPointer<nghttp2_nv>

    /// Lays out fields; pseudo-header fields (`:method` …) must come first.
    public init(_ fields: [HeaderField]) {
        let size = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        bytes = .allocate(capacity: max(1, size))
        views = .allocate(capacity: fields.count)
        var position = bytes
        for (index, field) in fields.enumerated() {
            var view = nghttp2_nv()
            view.name = position
            view.namelen = field.name.utf8.count
            view.value = position + view.namelen
            view.valuelen = field.value.utf8.count
            for byte in (field.name + field.value).utf8 {
                position.initialize(to: byte)
                position += 1
            }
            view.flags = FieldList.noCopy | (field.isIndexed ? 0 : FieldList.noIndex)
            views.initializeElement(at: index, to: view)
        }
    }

    /// Lays out a request's fields with their pseudo-header fields; each request adds its own `:path`.
    public convenience init(method: String = "POST", authority: String, fields: [HeaderField]) {
        let pseudo = [
            HeaderField(":method", method), HeaderField(":scheme", "https"), HeaderField(":authority", authority),
        ]
        self.init(pseudo + fields)
    }

    deinit {
        bytes.deallocate()
        views.deallocate()
    }

    /// The value of a field, for simulated transports; nil if absent.
    public func value(of name: String) -> String? {
        for field in fields where UnsafeBufferPointer(start: field.name, count: field.namelen).elementsEqual(name.utf8)
        {
            return String(decoding: UnsafeBufferPointer(start: field.value, count: field.valuelen), as: UTF8.self)
        }
        return nil
    }

    var fields: UnsafeBufferPointer<nghttp2_nv> { UnsafeBufferPointer(views) }
}

/// The fields of the message being submitted; its memory is reused.
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
