// Decides when a provider token is renewed: Apple refuses it after an hour, and a second one within twenty minutes.

internal import ScoreTypes

/// The age limits of a provider token, in real time.
struct ProviderTokenPolicy: Sendable {
    /// This node's age of renewal, so that nodes do not sign at the same time.
    let renewAge: Duration

    /// - Parameter jitter: A number of at least 0 and less than 1, drawn once a node.
    init(jitter: Double) {
        renewAge =
            PushLimits.tokenRenewalEarliest + (PushLimits.tokenRenewalLatest - PushLimits.tokenRenewalEarliest)
            * max(0, min(1, jitter))
    }

    enum Decision: Sendable, Hashable {
        case use
        /// Read the store, then sign a new one unless the stored one is younger.
        case renew
        /// Refused but too young to be replaced: a clock is wrong, and nothing can be sent until then.
        case wait(until: Instant)
    }

    /// Decides about the known token.
    func decide(_ token: StoredProviderToken?, at now: Instant) -> Decision {
        guard let token else { return .renew }
        let age = now - token.issuedAt
        return age >= renewAge || age < .zero - PushLimits.clockSkew ? .renew : .use
    }

    /// Decides after APNs rejected a token as expired; `known` is the stored token.
    func decide(afterRefusalOf refused: StoredProviderToken, known: StoredProviderToken?, at now: Instant) -> Decision {
        guard let known, known.text == refused.text else { return known == nil ? .renew : .use }
        let replaceable = known.issuedAt + PushLimits.tokenDistance
        return now >= replaceable || known.issuedAt > now + PushLimits.clockSkew ? .renew : .wait(until: replaceable)
    }
}
