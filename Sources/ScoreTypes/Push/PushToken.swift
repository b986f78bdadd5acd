// A push token permits its holder to write to a Lock Screen, so it is never printed.

/// A device, push-to-start or activity token: opaque bytes of any length (Apple: the length may change).
public struct PushToken: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The opaque bytes.
    public let bytes: [UInt8]

    /// Wraps bytes; nil when there are none or more than 256.
    public init?(bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes.count <= TypeLimits.pushTokenBytes else { return nil }
        self.bytes = bytes
    }

    /// Reads hexadecimal digits; nil for another form or length.
    public init?(hex: some StringProtocol) {
        guard hex.utf8.count <= 2 * TypeLimits.pushTokenBytes, let bytes = Hex.bytes(hex) else { return nil }
        self.init(bytes: bytes)
    }

    /// The digits for the path of a request to APNs; used for nothing else.
    public var hexForPath: String { Hex.string(bytes) }

    /// A placeholder instead of the token.
    public var description: String { "‹token›" }
    /// A placeholder instead of the token.
    public var debugDescription: String { description }
}

/// The first 12 hexadecimal digits of a secret's SHA-256: enough to follow it in logs, useless to an attacker.
public struct Fingerprint: Sendable, Hashable, CustomStringConvertible {
    /// Twelve digits.
    public let text: String

    /// Shortens a SHA-256 digest; nil when it is not 32 bytes long.
    public init?(sha256 digest: [UInt8]) {
        guard digest.count == 32 else { return nil }
        text = Hex.string(digest.prefix(6))
    }

    /// Reads twelve digits, upper or lower case; nil for anything else.
    public init?(_ text: String) {
        guard text.utf8.count == 12, let bytes = Hex.bytes(text) else { return nil }
        self.text = Hex.string(bytes)
    }

    /// The first six bytes of the digest.
    public var bytes: [UInt8] { Hex.bytes(text) ?? [] }

    /// The twelve digits.
    public var description: String { text }
}

/// The environment of APNs that a token or channel belongs to; the two are separate.
public enum PushEnvironment: String, Sendable, Hashable, Codable, CaseIterable {
    case sandbox, production

    /// The number stored in PostgreSQL.
    public var code: Int16 { self == .sandbox ? 0 : 1 }

    /// Reads a stored number; nil when it is unknown.
    public init?(code: Int16) {
        guard let known = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = known
    }
}

/// The id of an APNs broadcast channel as Apple assigned it: base64.
public struct ChannelID: Sendable, Hashable, CustomStringConvertible {
    /// Apple's text.
    public let text: String

    /// Validates external text; nil when it is empty, longer than 256 bytes or not printable ASCII.
    public init?(_ text: String) {
        guard (1...TypeLimits.channelIDBytes).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            return nil
        }
        self.text = text
    }

    /// Apple's text.
    public var description: String { text }
}
