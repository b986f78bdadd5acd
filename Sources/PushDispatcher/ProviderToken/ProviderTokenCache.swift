// The provider tokens that the lanes use, one for each environment.

internal import Logging
internal import ScoreTypes

/// The provider tokens of all environments, with versions so that a late answer about an old one has no effect.
actor ProviderTokenCache {
    struct Issue: Sendable {
        let environment: PushEnvironment
        let token: StoredProviderToken
        let version: Int
        /// Whether another key signed it, so that the connections of the old key must be closed.
        let isOfNewKey: Bool
    }

    private struct Entry {
        var token: StoredProviderToken?
        var version = 0
        var isRefused = false
        var isOfNewKey = false
        var nextTry: Duration = .zero
        var problem: String?
        /// When a refused young token is used again.
        var retryRefusedAt: Duration?
        /// Refusals of young tokens in a row, and when the last one came.
        var youngRefusals = 0
        var youngRefusedAt: Duration = .zero
    }

    private var renewals: [PushEnvironment: ProviderTokenRenewal] = [:]
    private let makeRenewal: @Sendable (PushEnvironment, SigningKey, _ keyID: String) -> ProviderTokenRenewal
    private(set) var keyID: String
    private var keyDigest: [UInt8]
    private let clock: ServiceClock
    private let log = Logger(label: "score.push.tokens")
    private var entries: [PushEnvironment: Entry] = [:]

    init(
        configuration: DispatcherConfiguration,
        store: any ProviderTokenStore,
        clock: ServiceClock,
        jitter: Double
    ) {
        self.clock = clock
        keyID = configuration.keyID
        keyDigest = configuration.signingKey.publicDigest
        let teamID = configuration.teamID
        makeRenewal = { environment, key, keyID in
            let scope = ProviderTokenScope(
                environment: environment,
                keyID: keyID,
                teamID: teamID,
                keyDigest: key.publicDigest
            )
            return ProviderTokenRenewal(key: key, scope: scope, store: store, clock: clock, jitter: jitter)
        }
        for environment in configuration.environments.keys {
            renewals[environment] = makeRenewal(environment, configuration.signingKey, keyID)
        }
    }

    /// Signs with another key from now on; Apple counts the tokens of each key separately.
    ///
    /// - Returns: False for the key in use.
    func use(_ key: SigningKey, keyID: String) -> Bool {
        guard keyID != self.keyID || key.publicDigest != keyDigest else { return false }
        (self.keyID, keyDigest) = (keyID, key.publicDigest)
        for environment in renewals.keys {
            renewals[environment] = makeRenewal(environment, key, keyID)
            entries[environment, default: Entry()].isOfNewKey = true
            entries[environment]?.isRefused = false
            entries[environment]?.nextTry = .zero
            entries[environment]?.retryRefusedAt = nil
        }
        return true
    }

    /// The token for channel management; nil if there is none.
    func token(for environment: PushEnvironment) async -> StoredProviderToken? {
        guard let renewal = renewals[environment] else { return nil }
        return try? await renewal.current()
    }

    /// Notes that APNs rejected the token of a version as expired.
    func refused(_ version: Int, in environment: PushEnvironment) {
        guard entries[environment]?.version == version else { return }
        entries[environment]?.isRefused = true
        entries[environment]?.nextTry = .zero
    }

    /// Why an environment has no token; nil if it has one.
    func problem(of environment: PushEnvironment) -> String? { entries[environment]?.problem }

    /// Age of the current token; nil if there is none.
    func age(of environment: PushEnvironment) async -> Duration? {
        guard let renewal = renewals[environment], let token = entries[environment]?.token else { return nil }
        return await renewal.now - token.issuedAt
    }

    /// Tokens that this node has signed.
    func mintedCount(of environment: PushEnvironment) async -> Int { await renewals[environment]?.mintedCount ?? 0 }

    /// Renews tokens that are missing, due or refused; returns those that the lanes do not have.
    func renew() async -> [Issue] {
        var issues: [Issue] = []
        for (environment, renewal) in renewals {
            guard clock.monotonic >= entries[environment]?.nextTry ?? .zero else { continue }
            if let issue = await renew(environment, renewal) { issues.append(issue) }
        }
        return issues
    }

    /// Handles a young token that APNs refused.
    ///
    /// A second token would be refused with 429, and the refusal may concern one server only, so sends continue with
    /// the same token after a pause.
    private func again(_ token: StoredProviderToken, _ environment: PushEnvironment, _ known: Entry) -> Issue? {
        var entry = known
        defer { entries[environment] = entry }
        let now = clock.monotonic
        guard let retryAt = entry.retryRefusedAt else {
            if now - entry.youngRefusedAt >= PushLimits.refusedTokenMemory { entry.youngRefusals = 0 }
            let (first, longest) = PushLimits.refusedTokenPause
            let retryAt = now + min(longest, first * (1 << min(entry.youngRefusals, 10)))
            entry.youngRefusals += 1
            entry.youngRefusedAt = now
            (entry.retryRefusedAt, entry.nextTry) = (retryAt, retryAt)
            log.error(
                "APNs rejected a recent provider token",
                metadata: ["env": "\(environment.rawValue)", "error": "\(entry.problem ?? "")"]
            )
            return nil
        }
        entry.nextTry = retryAt
        guard now >= retryAt else { return nil }
        entry.retryRefusedAt = nil
        entry.isRefused = false
        entry.version += 1
        return Issue(environment: environment, token: token, version: entry.version, isOfNewKey: false)
    }

    private func renew(_ environment: PushEnvironment, _ renewal: ProviderTokenRenewal) async -> Issue? {
        let refused = entries[environment].flatMap { $0.isRefused ? $0.token : nil }
        let result: Result<StoredProviderToken, ProviderTokenError>
        do throws(ProviderTokenError) {
            let token =
                if let refused { try await renewal.replacement(for: refused) } else { try await renewal.current() }
            result = .success(token)
        } catch { result = .failure(error) }
        // The key was changed during the renewal.
        guard renewals[environment] === renewal else { return nil }
        // Read after the renewal, since APNs may have refused the token meanwhile.
        var entry = entries[environment] ?? Entry()
        switch result {
        case .success(let token):
            entry.problem = nil
            let isNew = token.text != entry.token?.text || refused != nil
            let isOfNewKey = entry.isOfNewKey
            if isNew {
                entry.version += 1
                entry.isRefused = false
                entry.retryRefusedAt = nil
            }
            entry.token = token
            entry.isOfNewKey = false
            entries[environment] = entry
            return isNew
                ? Issue(environment: environment, token: token, version: entry.version, isOfNewKey: isOfNewKey) : nil
        case .failure(let error):
            entry.nextTry = clock.monotonic + PushLimits.tokenRetryInterval
            entry.problem = error.sentence
            if case .tooYoungToReplace = error, let token = entry.token { return again(token, environment, entry) }
            entries[environment] = entry
            log.error("no provider token", metadata: ["env": "\(environment.rawValue)", "error": "\(error.sentence)"])
            return nil
        }
    }
}

extension ProviderTokenError {
    /// One sentence for operators.
    var sentence: String {
        switch self {
        case .storeFailed: "the shared provider token cannot be read"
        case .signingFailed: "signing with the key failed"
        case .tooYoungToReplace(let moment):
            "APNs rejects a recent provider token as expired: a clock is wrong; the next one can be signed at \(moment)"
        }
    }
}
