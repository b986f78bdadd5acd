// Decides when a provider token is renewed: Apple refuses it after an hour and counts renewals inside twenty minutes.

internal import ScoreTypes

/// The ages of a provider token and what each asks for; all in real time.
struct ProviderTokenPolicy: Sendable {
    /// This node's own age of renewal, so that many nodes do not sign in the same second.
    let renewAge: Duration

    /// - Parameter jitter: A number from 0 up to 1, drawn once for a node.
    init(jitter: Double) {
        renewAge =
            PushLimits.tokenRenewalEarliest + (PushLimits.tokenRenewalLatest - PushLimits.tokenRenewalEarliest)
            * max(0, min(1, jitter))
    }

    enum Decision: Sendable, Hashable {
        case use
        /// Look at the store, then sign a new one if the stored one is not younger.
        case renew
        /// Too old but too young to be replaced: a clock is wrong; nothing can be sent until then.
        case wait(until: Instant)
    }

    /// What to do with the token known here.
    func decide(_ token: StoredProviderToken?, at now: Instant) -> Decision {
        guard let token else { return .renew }
        let age = now - token.issuedAt
        return age >= renewAge || age < .zero - PushLimits.clockSkew ? .renew : .use
    }

    /// What to do after APNs called a token expired; `known` is the token in the store now.
    func decide(afterRefusalOf refused: StoredProviderToken, known: StoredProviderToken?, at now: Instant) -> Decision {
        guard let known, known.text == refused.text else { return known == nil ? .renew : .use }
        let replaceable = known.issuedAt + PushLimits.tokenDistance
        return now >= replaceable || known.issuedAt > now + PushLimits.clockSkew ? .renew : .wait(until: replaceable)
    }
}
