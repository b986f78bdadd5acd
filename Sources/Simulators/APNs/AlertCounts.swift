// The journal keeps the newest requests only; a run with very many phones reads the alerts of each token.

import ScoreTypes

/// The accepted alerts of each recipient since a time.
struct AlertCounts: Sendable {
    /// By the hash of the recipient, since there are hundreds of thousands of long tokens.
    private var counts: [UInt64: Int] = [:]

    mutating func note(_ recipient: [UInt8]) { counts[FNV1a.hash(recipient), default: 0] += 1 }

    /// The alerts of a token.
    func count(of token: PushToken) -> Int { counts[FNV1a.hash(token.bytes)] ?? 0 }
}
