// One walk over a request's header fields, since seven searches for a million requests would cost more than the rest.

import Glibc
import HTTP2

/// The fields of a push that mean something to APNs; views that are valid while the request is.
struct PushHeaders {
    private(set) var authorization: UnsafeRawBufferPointer?
    private(set) var id: UnsafeRawBufferPointer?
    private(set) var requestID: UnsafeRawBufferPointer?
    private(set) var topic: UnsafeRawBufferPointer?
    private(set) var pushType: UnsafeRawBufferPointer?
    private(set) var priority: UnsafeRawBufferPointer?
    private(set) var expiration: UnsafeRawBufferPointer?
    private(set) var collapseID: UnsafeRawBufferPointer?
    private(set) var channel: UnsafeRawBufferPointer?
    private(set) var hasDuplicates = false
    /// Whether the request is for a channel.
    let isBroadcast: Bool
    /// The id of the request, which the answer echoes.
    var messageID: UnsafeRawBufferPointer? { isBroadcast ? requestID : id }

    init(_ request: borrowing ServerRequest, isBroadcast: Bool = false) {
        var found = PushHeaders(isBroadcast: isBroadcast)
        request.forEachHeader { name, value in found.take(name, value) }
        self = found
    }

    private init(isBroadcast: Bool) { self.isBroadcast = isBroadcast }

    private mutating func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        switch name.count {
        case 7 where name.equals("apns-id"): id = newest(value, after: id)
        case 10 where name.equals("apns-topic"): topic = newest(value, after: topic)
        case 13 where name.equals("authorization"): authorization = newest(value, after: authorization)
        case 13 where name.equals("apns-priority"): priority = newest(value, after: priority)
        case 14 where name.equals("apns-push-type"): pushType = newest(value, after: pushType)
        case 15 where name.equals("apns-expiration"): expiration = newest(value, after: expiration)
        case 15 where name.equals("apns-channel-id"): channel = newest(value, after: channel)
        case 15 where name.equals("apns-request-id"): requestID = newest(value, after: requestID)
        case 16 where name.equals("apns-collapse-id"): collapseID = newest(value, after: collapseID)
        default: break
        }
    }

    private mutating func newest(
        _ value: UnsafeRawBufferPointer,
        after earlier: UnsafeRawBufferPointer?
    ) -> UnsafeRawBufferPointer {
        if earlier != nil { hasDuplicates = true }
        return value
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes are those of the text.
    func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount, let baseAddress else { return count == text.utf8CodeUnitCount }
        return memcmp(baseAddress, text.utf8Start, count) == 0
    }

    /// Whether the bytes are the same.
    func equals(_ other: [UInt8]) -> Bool {
        guard count == other.count, let baseAddress else { return count == other.count }
        return other.withUnsafeBytes { bytes in bytes.baseAddress.map { memcmp(baseAddress, $0, count) == 0 } ?? true }
    }

    /// A whole number of up to 12 digits; nil for anything else.
    var wholeNumber: Int64? {
        guard (1...12).contains(count) else { return nil }
        var number: Int64 = 0
        for byte in self {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
        }
        return number
    }

    /// Whether this is a UUID of 36 characters in lower case, as Apple's canonical form is.
    var isCanonicalUUID: Bool {
        guard count == 36 else { return false }
        for (index, byte) in enumerated() {
            switch index {
            case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return false }
            default:
                let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                guard isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte) else { return false }
            }
        }
        return true
    }

    /// The bytes as text.
    var text: String { String(decoding: self, as: UTF8.self) }
}
