// Operators identify a token by its fingerprint, since tokens are never shown.

internal import COpenSSL
public import ScoreTypes

extension Fingerprint {
    /// The fingerprint of a token: SHA-256 of its raw bytes.
    public init?(of token: PushToken) { self.init(sha256: SHA256Digest.of(token.bytes)) }

    /// The fingerprint of a channel's id, over its UTF-8 bytes.
    init?(of channel: ChannelID) { self.init(sha256: SHA256Digest.of(Array(channel.text.utf8))) }

    /// The fingerprint of an activity's id, over its UTF-8 bytes.
    public init?(of activity: ActivityID) { self.init(sha256: SHA256Digest.of(Array(activity.text.utf8))) }
}

/// SHA-256 by OpenSSL.
enum SHA256Digest {
    static func of(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        _ = SHA256(bytes, bytes.count, &digest)
        return digest
    }
}
