// Apple counts the provider tokens of each connection by itself, and binds a connection to the key of its first one.

import ScoreTypes

/// The provider token that a connection uses, and since when.
struct ConnectionToken {
    private var current: (token: ProviderToken, since: Int64)?
    /// When the use of the token was last passed on, in seconds since 1970.
    private var notedAt: Int64 = .min

    /// Checks the value of `authorization` and notes the token of the connection; verifies a signature only once.
    ///
    /// - `now`: Seconds since 1970.
    /// - Returns: The token when its use has to be noted: it is new, or in use for a minute since.
    mutating func verify(
        _ authorization: UnsafeRawBufferPointer?,
        by verifier: ProviderTokenVerifier,
        now: Int64
    ) throws(PushRefusal) -> ProviderToken? {
        let text = try ProviderTokenVerifier.text(of: authorization)
        if let current, text.equals(current.token.text) {
            try Self.checkAge(of: current.token, now)
            guard now >= notedAt + SimulatorLimits.providerTokenNoteSeconds else { return nil }
            notedAt = now
            return current.token
        }
        let token = try verifier.read([UInt8](text))
        try Self.checkAge(of: token, now)
        if let current {
            guard token.keyID == current.token.keyID else { throw .unrelatedKey }
            // The first token of a connection counts, too: Apple permits one new token in this time.
            guard now - current.since >= SimulatorLimits.providerTokenUpdateSeconds else { throw .tooManyTokens }
        }
        current = (token, now)
        notedAt = now
        return token
    }

    private static func checkAge(of token: ProviderToken, _ now: Int64) throws(PushRefusal) {
        guard now - token.issuedAt <= SimulatorLimits.providerTokenSeconds else { throw .expiredToken }
        guard token.issuedAt - now <= SimulatorLimits.providerTokenAheadSeconds else { throw .invalidToken }
    }
}
