// The received header fields of one message in one buffer, so that receiving them allocates nothing.

internal import Glibc

/// Received fields, each as 2-byte name length, 4-byte value length, name, value; valid during a callback.
struct HeaderBlock {
    let bytes: UnsafeRawBufferPointer

    func value(of name: StaticString) -> UnsafeRawBufferPointer? {
        var found: UnsafeRawBufferPointer?
        forEach { candidate, value in
            guard found == nil, candidate.count == name.utf8CodeUnitCount, let start = candidate.baseAddress else {
                return
            }
            if memcmp(start, name.utf8Start, candidate.count) == 0 { found = value }
        }
        return found
    }

    func forEach(_ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void) {
        var position = 0
        while position + 6 <= bytes.count {
            let nameLength = Int(bytes.loadUnaligned(fromByteOffset: position, as: UInt16.self))
            let valueLength = Int(bytes.loadUnaligned(fromByteOffset: position + 2, as: UInt32.self))
            let name = position + 6
            let value = name + nameLength
            position = value + valueLength
            guard position <= bytes.count else { return }
            body(
                UnsafeRawBufferPointer(rebasing: bytes[name..<value]),
                UnsafeRawBufferPointer(rebasing: bytes[value..<position])
            )
        }
    }

    /// Appends a field; false if a length does not fit or the block would exceed the limit in bytes.
    static func append(
        to buffer: ByteBuffer,
        name: UnsafeRawBufferPointer,
        value: UnsafeRawBufferPointer,
        limit: Int
    ) -> Bool {
        guard name.count <= Int(UInt16.max), buffer.count + 6 + name.count + value.count <= limit else { return false }
        buffer.appendInteger(UInt16(name.count))
        buffer.appendInteger(UInt32(value.count))
        buffer.append(name)
        buffer.append(value)
        return true
    }
}

/// The header fields of a response; valid during the delegate's call only.
public struct ResponseHeaders: ~Copyable {
    let block: HeaderBlock

    /// The first value of a field with a lower-case name; nil if absent.
    public func value(of name: StaticString) -> UnsafeRawBufferPointer? { block.value(of: name) }

    /// The first value of a field with a lower-case name, as text; nil if absent.
    public func text(of name: StaticString) -> String? {
        block.value(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Visits all fields in order, pseudo-header fields included.
    public func forEach(_ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void) {
        block.forEach(body)
    }
}
