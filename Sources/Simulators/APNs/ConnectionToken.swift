// Apple counts the provider tokens of each connection by itself, and binds a connection to the key of its first one.

import ScoreTypes

/// The provider token that a connection uses, and since when.
struct ConnectionToken {
    private var current: (token: ProviderToken, since: Int64)?

    /// Checks the value of `authorization` and notes the token of the connection; verifies a signature only once.
    ///
    /// - `now`: Seconds since 1970.
    mutating func verify(
        _ authorization: UnsafeRawBufferPointer?,
        by verifier: ProviderTokenVerifier,
        now: Int64
    ) throws(PushRefusal) {
        let text = try ProviderTokenVerifier.text(of: authorization)
        if let current, text.equals(current.token.text) { return try Self.checkAge(of: current.token, now) }
        let token = try verifier.read([UInt8](text))
        try Self.checkAge(of: token, now)
        if let current {
            guard token.keyID == current.token.keyID else { throw .unrelatedKey }
            // The first token of a connection counts, too: Apple permits one new token in this time.
            guard now - current.since >= SimulatorLimits.providerTokenUpdateSeconds else { throw .tooManyTokens }
        }
        current = (token, now)
    }

    private static func checkAge(of token: ProviderToken, _ now: Int64) throws(PushRefusal) {
        guard now - token.issuedAt <= SimulatorLimits.providerTokenSeconds else { throw .expiredToken }
        guard token.issuedAt - now <= SimulatorLimits.providerTokenAheadSeconds else { throw .invalidToken }
    }
}
