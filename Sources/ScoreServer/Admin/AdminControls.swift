// The admin routes read and control feeds, matches and aliases through these protocols.

import MatchJournal
import Providers
import ScoreIngest
import ScoreTypes

/// A feed as operators see it.
struct FeedView: Sendable, Hashable {
    let status: FeedStatus
    let provider: String
    /// Why an operator has paused it.
    let pausedReason: String?

    /// `polling`, `standby`, `paused`, `failing`.
    var state: String { status.breaker == .closed ? status.activity.rawValue : "failing" }
}

/// Reads and controls feeds.
protocol FeedControl: Sendable {
    func feeds() async -> [FeedView]
    /// Each returns false for an unknown feed.
    func pause(_ feed: FeedID, reason: String) async throws -> Bool
    func resume(_ feed: FeedID) async throws -> Bool
    func send(_ verb: FeedVerb, to feed: FeedID) async throws -> Bool
}

/// Reads and controls matches.
protocol MatchControl: Sendable {
    /// Counts of followers and activities, the last push and the like; nil for an unknown match.
    ///
    /// `counted` is false when the followers could not be counted within a time.
    func detail(of match: MatchID, countsWithin wait: Duration) async throws -> JSONValue?
    /// Each returns false for an unknown match.
    func hold(_ match: MatchID, reason: String) async throws -> Bool
    func release(_ match: MatchID) async throws -> Bool
    /// Throws `conflict` on a node that sends no pushes.
    func endActivities(of match: MatchID, reason: String) async throws -> Bool
    /// Rebuilds the match from its feed; false for an unknown match.
    func resync(_ match: MatchID) async throws -> Bool
    /// Sends the present state to all activities again; false for an unknown match. Throws `quota-exceeded` too soon
    /// after the last time.
    func republish(_ match: MatchID) async throws -> Bool
    /// Number of activities that have not ended; nil for an unknown match.
    func activityCount(of match: MatchID) async throws -> Int64?
    /// Number of activities that an end would end; nil for an unknown match. Throws `conflict` on a node that sends no
    /// pushes.
    func endCount(of match: MatchID) async throws -> Int64?
}

/// Reads and writes the overrides of matches, and reads their log.
protocol OverrideStore: Sendable {
    func knows(_ match: MatchID) async throws -> Bool
    /// False for an unknown match.
    func set(_ override: MatchOverride, of match: MatchID) async throws -> Bool
    /// False when the field has no override.
    func liftOverride(_ field: String, of match: MatchID) async throws -> Bool
    /// The overrides of a match that hold now.
    func overrides(of match: MatchID) async throws -> [MatchOverride]
    /// The publications after a revision and up to another, oldest first.
    func publications(of match: MatchID, after revision: Int64, through end: Int64) async throws -> [PublicationRow]
    /// The newest published revision up to another; nil for none.
    func publishedRevision(of match: MatchID, notAfter revision: Int64) async throws -> Int64?
    /// Journal entries with their sources, oldest first.
    func statements(of match: MatchID, about item: String?, after revision: Int64, limit: Int) async throws
        -> [JournalStatement]
}

/// Reads and writes the table of aliases.
protocol AliasStore: Sendable {
    func table() async throws -> AliasTable
    /// A page in order of kind, provider and id of the provider, behind a place or from the beginning.
    func page(after cursor: AliasCursor?, limit: Int) async throws -> AliasPage
    func put(_ aliases: [Alias]) async throws
    /// False when there was none.
    func remove(_ kind: AliasKind, _ provider: Provider, _ id: String) async throws -> Bool
}

extension AliasRecords: AliasStore {}
