// Provides the token of one environment; concurrent callers share one renewal.

internal import ScoreTypes

/// The actor around `ProviderTokenPolicy`, with one renewal at a time.
actor ProviderTokenRenewal {
    private let key: SigningKey
    private let scope: ProviderTokenScope
    private let store: any ProviderTokenStore
    private let clock: ServiceClock
    private let policy: ProviderTokenPolicy
    private var token: StoredProviderToken?
    /// How far the store's clock is ahead of this node's, when it was last read.
    private var offset: Duration = .zero
    private var work: Task<Result<StoredProviderToken, ProviderTokenError>, Never>?
    /// Tokens signed by this object.
    private(set) var mintedCount = 0

    init(
        key: SigningKey,
        scope: ProviderTokenScope,
        store: any ProviderTokenStore,
        clock: ServiceClock,
        jitter: Double
    ) {
        self.key = key
        self.scope = scope
        self.store = store
        self.clock = clock
        policy = ProviderTokenPolicy(jitter: jitter)
    }

    /// The current token, renewed first if it is due.
    ///
    /// If the renewal fails, the old token is returned while it is valid.
    ///
    /// - Throws: `ProviderTokenError` if there is no valid token.
    func current() async throws(ProviderTokenError) -> StoredProviderToken {
        guard policy.decide(token, at: now) == .renew else {
            if let token { return token }
            throw .storeFailed
        }
        do {
            return try await renewed(nil)
        } catch {
            guard let token, now - token.issuedAt < PushLimits.tokenRenewalLatest else { throw error }
            return token
        }
    }

    /// The time of the store: Apple compares the token with its own clock, and all nodes compare it with this one.
    var now: Instant { clock.wall + offset }

    /// The replacement of a token that APNs rejected as expired: a newer stored one, or one renewal.
    ///
    /// - Throws: `ProviderTokenError` if the store or the key fails, or the token is too young to be replaced.
    func replacement(for refused: StoredProviderToken) async throws(ProviderTokenError) -> StoredProviderToken {
        if let token, token.text != refused.text { return token }
        return try await renewed(refused)
    }

    /// The result of the one renewal that is in progress.
    private func renewed(_ refused: StoredProviderToken?) async throws(ProviderTokenError) -> StoredProviderToken {
        let running = work ?? Task { await renew(refused) }
        work = running
        return try await running.value.get()
    }

    /// Reads the store, and signs a new token if that is due.
    private func renew(_ refused: StoredProviderToken?) async -> Result<StoredProviderToken, ProviderTokenError> {
        defer { work = nil }
        do throws(ProviderTokenError) {
            let known = try await load()
            let decision =
                refused.map { policy.decide(afterRefusalOf: $0, known: known, at: now) }
                ?? policy.decide(known, at: now)
            if case .wait(let moment) = decision { return .failure(.tooYoungToReplace(until: moment)) }
            let fresh = if decision == .use, let known { known } else { try await mint() }
            token = fresh
            return .success(fresh)
        } catch { return .failure(error) }
    }

    private func load() async throws(ProviderTokenError) -> StoredProviderToken? {
        do {
            offset = try await store.time() - clock.wall
            return try await store.load(scope)
        } catch { throw .storeFailed }
    }

    private func mint() async throws(ProviderTokenError) -> StoredProviderToken {
        let now = now
        let text: String
        do {
            text = try ProviderTokenText.signed(
                by: key,
                keyID: scope.keyID,
                teamID: scope.teamID,
                issuedAt: now.seconds
            )
        } catch { throw .signingFailed }
        let fresh = StoredProviderToken(text: text, issuedAt: Instant(milliseconds: now.seconds * 1000))
        do {
            let stored = try await store.publish(
                fresh,
                scope,
                unlessIssuedWithin: now + (.zero - PushLimits.tokenDistance)...now + PushLimits.clockSkew
            )
            if stored.text == fresh.text { mintedCount += 1 }
            return stored
        } catch { throw .storeFailed }
    }
}

/// Why there is no provider token.
enum ProviderTokenError: Error, Hashable {
    /// The store failed, so that a token of another node may exist.
    case storeFailed
    case signingFailed
    /// APNs rejects a young token: a clock is wrong.
    case tooYoungToReplace(until: Instant)
}
