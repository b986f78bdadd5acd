// Providers repeat keys and tokens in replies and errors; nothing that is stored or logged may contain one.

internal import Glibc
internal import Providers
internal import ScoreTypes

/// The credentials of a feed and its last tokens, which are replaced by dashes.
struct KnownSecrets: Sendable {
    private var credentials: [[UInt8]]
    private var tokens: [[UInt8]] = []

    init(_ given: ProviderCredentials = .none) {
        credentials = [given.key, given.secret].compactMap { $0.flatMap(Self.bytes) }
    }

    /// Adds a token.
    mutating func take(_ token: Secret) {
        guard let token = Self.bytes(of: token), !all.contains(token) else { return }
        tokens = (tokens + [token]).suffix(IngestLimits.rememberedTokensMax)
    }

    /// The secrets of both.
    func joined(with other: KnownSecrets) -> KnownSecrets {
        var both = self
        both.credentials += other.credentials
        both.tokens += other.tokens
        return both
    }

    /// The same bytes with dashes for secrets.
    func struck(from body: [UInt8]) -> [UInt8] {
        var body = body
        for secret in all {
            body.withUnsafeMutableBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                var start = 0
                while bytes.count - start >= secret.count,
                    let found = memchr(base + start, Int32(secret[0]), bytes.count - start - secret.count + 1)
                {
                    start = UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
                    guard memcmp(found, secret, secret.count) == 0 else { continue }
                    memset(found, Int32(UInt8(ascii: "-")), secret.count)
                }
            }
        }
        return body
    }

    /// The same text with dashes for secrets.
    func struck(from text: String) -> String {
        String(decoding: struck(from: Array(text.utf8)), as: UTF8.self)
    }

    /// The same error without secrets; they are removed before its text is cut, so that no half of one stays.
    func struck(from error: AdapterError) -> AdapterError {
        switch error {
        case .refused(let path, let reason): .refused(path: path, reason: struck(from: reason))
        case .unknownWord(let path, let word): .unknownWord(path: path, word: struck(from: word))
        case .notJSON, .tooLarge, .missing, .wrongForm, .outOfRange, .contradiction: error
        }
    }

    /// The longest first: one may be a part of another.
    private var all: [[UInt8]] { (credentials + tokens).sorted { $0.count > $1.count } }

    private static func bytes(of secret: Secret) -> [UInt8]? {
        let bytes = Array(secret.text.utf8)
        return bytes.count >= IngestLimits.secretBytesMin ? bytes : nil
    }
}
