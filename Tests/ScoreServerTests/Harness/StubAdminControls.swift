// Stubs of the admin protocols that record the audit entries.

import LiveActivities
import MatchJournal
import Providers
import ScoreTypes
import Synchronization
import Testing

@testable import ScoreIngest
@testable import ScoreServer

struct StubFeeds: FeedControl {
    /// A feed that no node polls.
    static func main(pausedReason: String? = nil) -> FeedView {
        let status = FeedStatus(feed: FeedID(unchecked: "main"))
        return FeedView(status: status, provider: "cricsheet", pausedReason: pausedReason)
    }

    var list: [FeedView] = []
    var onPause: @Sendable (FeedID, String) async throws -> Bool = { _, _ in try unexpected("pause") }
    var onResume: @Sendable (FeedID) async throws -> Bool = { _ in try unexpected("resume") }
    var onPoll: @Sendable (FeedID) async throws -> Bool = { _ in try unexpected("pollNow") }
    var onReset: @Sendable (FeedID) async throws -> Bool = { _ in try unexpected("resetBreaker") }

    func feeds() async -> [FeedView] { list }
    func pause(_ feed: FeedID, reason: String) async throws -> Bool { try await onPause(feed, reason) }
    func resume(_ feed: FeedID) async throws -> Bool { try await onResume(feed) }
    func send(_ verb: FeedVerb, to feed: FeedID) async throws -> Bool {
        try await verb == .poll ? onPoll(feed) : onReset(feed)
    }
}

struct StubControl: MatchControl, OverrideStore {
    var onDetail: @Sendable (MatchID) async throws -> JSONValue? = { _ in .record(["followers": .integer(3)]) }
    var onHold: @Sendable (MatchID, String) async throws -> Bool = { _, _ in try unexpected("hold") }
    var onRelease: @Sendable (MatchID) async throws -> Bool = { _ in try unexpected("release") }
    var onEnd: @Sendable (MatchID, String) async throws -> Bool = { _, _ in try unexpected("endActivities") }

    var onResync: @Sendable (MatchID) async throws -> Bool = { _ in try unexpected("resync") }
    var onRepublish: @Sendable (MatchID) async throws -> Bool = { _ in try unexpected("republish") }

    func resync(_ match: MatchID) async throws -> Bool { try await onResync(match) }
    func republish(_ match: MatchID) async throws -> Bool { try await onRepublish(match) }

    var activeCount: Int64 = 3
    var known: @Sendable (MatchID) -> Bool = { _ in true }

    func knows(_ match: MatchID) async throws -> Bool { known(match) }

    func activityCount(of match: MatchID) async throws -> Int64? { activeCount }
    func endCount(of match: MatchID) async throws -> Int64? { activeCount }
    func detail(of match: MatchID, countsWithin wait: Duration) async throws -> JSONValue? { try await onDetail(match) }
    func hold(_ match: MatchID, reason: String) async throws -> Bool { try await onHold(match, reason) }
    func release(_ match: MatchID) async throws -> Bool { try await onRelease(match) }
    func endActivities(of match: MatchID, reason: String) async throws -> Bool { try await onEnd(match, reason) }

    var onOverride: @Sendable (MatchID, MatchOverride) async throws -> Bool = { _, _ in try unexpected("override") }
    var onLift: @Sendable (MatchID, String) async throws -> Bool = { _, _ in try unexpected("lift") }
    var standing: [MatchOverride] = []
    var said: [JournalStatement] = []
    var rows: [PublicationRow] = []

    func publishedRevision(of match: MatchID, notAfter revision: Int64) async throws -> Int64? {
        rows.map(\.revision).filter { $0 <= revision }.max()
    }

    func publications(of match: MatchID, after revision: Int64, through end: Int64) async throws -> [PublicationRow] {
        rows.filter { $0.revision > revision && $0.revision <= end }
    }

    func set(_ override: MatchOverride, of match: MatchID) async throws -> Bool {
        try await onOverride(match, override)
    }
    func liftOverride(_ field: String, of match: MatchID) async throws -> Bool { try await onLift(match, field) }
    func overrides(of match: MatchID) async throws -> [MatchOverride] { standing }
    func statements(
        of match: MatchID,
        about item: String?,
        after revision: Int64,
        limit: Int
    ) async throws -> [JournalStatement] { said }
}

struct StubAliases: AliasStore {
    var list: [Alias] = []
    var onPut: @Sendable ([Alias]) async throws -> Void = { _ in try unexpected("put") }
    var onRemove: @Sendable (AliasKind, Provider, String) async throws -> Bool = { _, _, _ in
        try unexpected("remove")
    }

    func table() async throws -> AliasTable { AliasTable(list) }
    func page(after cursor: AliasCursor?, limit: Int) async throws -> AliasPage {
        let rest = AliasTable(list).aliases.filter { alias in
            guard let cursor else { return true }
            return (alias.kind.rawValue, alias.provider.rawValue, alias.providerID)
                > (cursor.kind, cursor.provider, cursor.id)
        }
        let last = rest.count > limit ? rest[limit - 1] : nil
        let next = last.map { AliasCursor(kind: $0.kind.rawValue, provider: $0.provider.rawValue, id: $0.providerID) }
        return AliasPage(aliases: Array(rest.prefix(limit)), total: Int64(list.count), next: next)
    }
    func put(_ aliases: [Alias]) async throws { try await onPut(aliases) }
    func remove(_ kind: AliasKind, _ provider: Provider, _ id: String) async throws -> Bool {
        try await onRemove(kind, provider, id)
    }
}

struct StubCaptures: CaptureLog {
    var list: [StoredCapture] = []
    var isStoring = true

    func captures(of feed: FeedID, about match: MatchID?, at time: Instant?, limit: Int) async throws
        -> [StoredCapture]?
    {
        list.filter { (match == nil || $0.match == match) && (time == nil || $0.at == time) }
    }
    func capture(_ id: String, of feed: FeedID) async throws -> StoredCapture? { list.first { $0.id == id } }
}

struct StubAlerts: AlertEvidence {
    var known: [FeedConfirmation] = []
    var list: [StoredRevokedAlert] = []

    func confirmations() -> [FeedConfirmation] { known }
    /// The last alert of the list has the number 1.
    func revoked(before number: Int64?, limit: Int) async throws -> RevokedAlertPage {
        let rest = list.suffix(Int(min(number ?? .max, Int64(list.count) + 1)) - 1)
        return RevokedAlertPage(
            Array(rest.prefix(limit)),
            next: rest.count > limit ? Int64(rest.count - limit + 1) : nil
        )
    }
}

struct StubNotices: NoticeReceiver {
    var secrets: [FeedID: String] = [:]
    var onTake: @Sendable ([UInt8], FeedID) async throws -> NoticeOutcome = { _, _ in try unexpected("take") }

    func secret(of feed: FeedID) -> SecretDigest? { secrets[feed].map { SecretDigest(of: Array($0.utf8)) } }
    func take(_ body: [UInt8], feed: FeedID) async throws -> NoticeOutcome { try await onTake(body, feed) }
}

struct StubHealth: HealthChecking {
    var hasStarted = true
    var list: [HealthCheck] = [HealthCheck(name: "db", isHealthy: true)]
    func checks() async -> [HealthCheck] { list }
}
