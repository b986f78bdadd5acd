// Hands out the provider token and sees to it that only one is signed, however many ask at once.

internal import ScoreTypes

/// The single-flight shell round `ProviderTokenPolicy` for one environment.
actor ProviderTokenRenewal {
    private let key: SigningKey
    private let scope: ProviderTokenScope
    private let store: any ProviderTokenStore
    private let clock: ServiceClock
    private let policy: ProviderTokenPolicy
    private var token: StoredProviderToken?
    private var work: Task<Result<StoredProviderToken, ProviderTokenError>, Never>?
    /// Tokens signed here.
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

    /// The token to send with now; renews it first when it is due.
    ///
    /// A token that can still be used is handed out when its renewal fails.
    func current() async throws(ProviderTokenError) -> StoredProviderToken {
        guard policy.decide(token, at: clock.wall) == .renew else {
            if let token { return token }
            throw .storeFailed
        }
        do {
            return try await onlyOnce { renewal in await renewal.renewed() }
        } catch {
            guard let token, clock.wall - token.issuedAt < PushLimits.tokenRenewalLatest else { throw error }
            return token
        }
    }

    /// The token to use after APNs called one expired: a newer stored one, or one refresh.
    func replacement(for refused: StoredProviderToken) async throws(ProviderTokenError) -> StoredProviderToken {
        if let token, token.text != refused.text { return token }
        return try await onlyOnce { renewal in await renewal.replaced(refused) }
    }

    private func onlyOnce(
        _ body: @escaping @Sendable (ProviderTokenRenewal) async -> Result<StoredProviderToken, ProviderTokenError>
    ) async throws(ProviderTokenError) -> StoredProviderToken {
        let running = work ?? Task { await run(body) }
        work = running
        return try await running.value.get()
    }

    private func run(
        _ body: @Sendable (ProviderTokenRenewal) async -> Result<StoredProviderToken, ProviderTokenError>
    ) async -> Result<StoredProviderToken, ProviderTokenError> {
        defer { work = nil }
        return await body(self)
    }

    private func renewed() async -> Result<StoredProviderToken, ProviderTokenError> {
        do throws(ProviderTokenError) {
            if let stored = try await load(), policy.decide(stored, at: clock.wall) == .use { return keep(stored) }
            return keep(try await mint())
        } catch { return .failure(error) }
    }

    private func replaced(_ refused: StoredProviderToken) async -> Result<StoredProviderToken, ProviderTokenError> {
        do throws(ProviderTokenError) {
            let known = try await load()
            switch policy.decide(afterRefusalOf: refused, known: known, at: clock.wall) {
            case .use: return keep(known ?? refused)
            case .renew: return keep(try await mint())
            case .wait(let moment): return .failure(.tooYoungToReplace(until: moment))
            }
        } catch { return .failure(error) }
    }

    private func keep(_ token: StoredProviderToken) -> Result<StoredProviderToken, ProviderTokenError> {
        self.token = token
        return .success(token)
    }

    private func load() async throws(ProviderTokenError) -> StoredProviderToken? {
        do { return try await store.load(scope) } catch { throw .storeFailed }
    }

    private func mint() async throws(ProviderTokenError) -> StoredProviderToken {
        let now = clock.wall
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
                unlessIssuedAfter: now + (.zero - PushLimits.tokenDistance)
            )
            if stored.text == fresh.text { mintedCount += 1 }
            return stored
        } catch { throw .storeFailed }
    }
}

/// Why there is no provider token to send with.
enum ProviderTokenError: Error, Hashable {
    /// The store could not be asked, so that nobody knows whether another node signed one.
    case storeFailed
    case signingFailed
    /// APNs refuses the token although it is young: a clock is wrong, here or there.
    case tooYoungToReplace(until: Instant)
}
