// Nodes that share no provider token differ from nodes that share one only in the number of tokens that APNs sees.

import ScoreTypes

/// The provider tokens that were used lately, over all connections.
struct ProviderTokenUses: Sendable {
    private struct Use {
        let keyID: String
        var at: Int64
    }

    private var uses: [[UInt8]: Use] = [:]
    /// Most tokens of a key, by its id, that were used within `SimulatorLimits.providerTokenUpdateSeconds`.
    private(set) var most: [String: Int] = [:]

    /// Notes the use of a valid token.
    ///
    /// - `now`: Seconds since 1970.
    mutating func note(_ token: ProviderToken, now: Int64) {
        uses[token.text] = Use(keyID: token.keyID, at: now)
        uses = uses.filter { now - $0.value.at < SimulatorLimits.providerTokenUpdateSeconds }
        let count = uses.values.count { $0.keyID == token.keyID }
        most[token.keyID] = max(count, most[token.keyID] ?? 0)
    }
}
