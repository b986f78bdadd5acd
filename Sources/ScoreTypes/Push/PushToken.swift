// A push token lets its holder write on somebody's Lock Screen, so it never prints.

/// A device, push-to-start or activity token: opaque bytes whose length must not be assumed (Apple: it may grow).
public struct PushToken: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// Longest token accepted, in bytes; today's activity tokens have 80.
    public static let byteCountMax = 256

    /// The opaque bytes.
    public let bytes: [UInt8]

    /// Wraps bytes; nil when there are none or more than 256.
    public init?(bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes.count <= Self.byteCountMax else { return nil }
        self.bytes = bytes
    }

    /// Reads hexadecimal digits as apps send them; nil for another form or length.
    public init?(hex: some StringProtocol) {
        guard hex.utf8.count <= 2 * Self.byteCountMax, let bytes = Hex.bytes(hex) else { return nil }
        self.init(bytes: bytes)
    }

    /// The digits for the path of a request to APNs; for nothing else.
    public var hexForPath: String { Hex.string(bytes) }

    /// Never the token itself.
    public var description: String { "‹token›" }
    /// Never the token itself.
    public var debugDescription: String { description }
}

/// The first 12 hexadecimal digits of a secret's SHA-256: enough to follow it through logs, useless to an attacker.
public struct Fingerprint: Sendable, Hashable, CustomStringConvertible {
    /// Twelve digits.
    public let text: String

    /// Shortens a SHA-256 digest; nil when it is not 32 bytes.
    public init?(sha256 digest: [UInt8]) {
        guard digest.count == 32 else { return nil }
        text = Hex.string(digest.prefix(6))
    }

    /// The text that people see.
    public var description: String { text }
}

/// Which of Apple's two push worlds a token or channel belongs to; they never mix.
public enum PushEnvironment: String, Sendable, Hashable, Codable, CaseIterable {
    case sandbox, production

    /// The number stored in Postgres.
    public var code: Int16 { self == .sandbox ? 0 : 1 }

    /// Reads the number stored in Postgres; nil when unknown.
    public init?(code: Int16) {
        switch code {
        case 0: self = .sandbox
        case 1: self = .production
        default: return nil
        }
    }
}

/// An APNs broadcast channel as Apple named it at creation: opaque base64.
public struct ChannelID: Sendable, Hashable, CustomStringConvertible {
    /// Apple's text.
    public let text: String

    /// Checks foreign text; nil when it is empty, longer than 256 bytes or not printable ASCII.
    public init?(_ text: String) {
        guard (1...256).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            return nil
        }
        self.text = text
    }

    /// The text that people see.
    public var description: String { text }
}
