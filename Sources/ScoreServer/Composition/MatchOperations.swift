// Operators inspect, hold and end matches through the stores and services that own them.

import FollowService
import HTTPTypes
import LiveActivities
import MatchJournal
import ScoreIngest
import ScoreTypes

/// The matches of the admin API.
struct MatchOperations: MatchControl {
    let journal: Journal
    let publisher: Publisher
    let hub: StreamHub
    /// nil on a node that pushes nothing.
    let ending: ActivityEnding?
    let activities: FollowService.Activities
    let audiences: AudienceReader
    /// Sends orders to the node that polls.
    let feeds: FeedRecords
    let clock: ServiceClock

    func detail(of match: MatchID, countsWithin wait: Duration) async throws -> JSONValue? {
        guard let head = try await journal.head(of: match) else { return nil }
        let audience = await audiences.audience(of: match, within: wait)
        let receipts = audience?.receipts
        return .record([
            "revision": .text(head.revision.description),
            "apnsTimestamp": .integer(head.apnsTimestamp),
            "phase": .text("\(head.phase)"),
            "feed": .text(try await journal.lastFeed(of: match) ?? head.feed.text),
            "heldReason": head.heldReason.map { .text($0) } ?? .null,
            "silentSince": head.silentSince.map { .text($0.rfc3339) } ?? .null,
            "removed": .bool(head.isRemoved),
            "overrides": .array(try await journal.overrides(of: match).map(\.json)),
            "counted": .bool(audience != nil),
            "follows": .integer(audience?.counts.follows ?? 0),
            "activitiesByToken": .integer(audience?.counts.activitiesOnTokens ?? 0),
            "activitiesOnChannels": .integer(audience?.counts.activitiesOnChannels ?? 0),
            "receipts": .record([
                "accepted": .integer(receipts?.accepted ?? 0), "confirmed": .integer(receipts?.confirmed ?? 0),
                "unknown": .integer(receipts?.unknown ?? 0), "stuck": .integer(receipts?.stuck ?? 0),
            ]),
            "streams": .whole(hub.watcherCounts[match] ?? 0),
        ])
    }

    func hold(_ match: MatchID, reason: String) async throws -> Bool {
        guard try await journal.hold(match, reason: reason) else { return false }
        publisher.wake(match)
        return true
    }

    func release(_ match: MatchID) async throws -> Bool {
        guard try await journal.release(match) else { return false }
        publisher.wake(match)
        return true
    }

    func resync(_ match: MatchID) async throws -> Bool {
        guard try await journal.head(of: match) != nil else { return false }
        try await feeds.send(.resync(match))
        return true
    }

    func republish(_ match: MatchID) async throws -> Bool {
        guard let head = try await journal.head(of: match), head.revision.number > 0 else { return false }
        let newest = try await journal.publications(of: match, after: head.revision.number - 1).last
        let wait = newest.map { ServerLimits.republishInterval - (clock.wall - $0.at) } ?? .zero
        if newest?.cause == .keepAlive, wait > .zero { throw ServiceProblem.republished(waiting: wait) }
        try await feeds.send(.republish(match))
        return true
    }

    func endActivities(of match: MatchID, reason: String) async throws -> Bool {
        guard try await journal.head(of: match) != nil else { return false }
        guard let ending else { throw ServiceProblem.noSigningKey }
        try await ending.endAll(of: match, because: .over)
        return true
    }

    func activityCount(of match: MatchID) async throws -> Int64? {
        guard try await journal.head(of: match) != nil else { return nil }
        return try await activities.activeCount(of: match)
    }

    func endCount(of match: MatchID) async throws -> Int64? {
        guard let count = try await activityCount(of: match) else { return nil }
        guard ending != nil else { throw ServiceProblem.noSigningKey }
        return count
    }
}

extension Journal: OverrideStore {
    func knows(_ match: MatchID) async throws -> Bool { try await head(of: match) != nil }
}

extension ServiceProblem {
    /// The state of a match was sent again less than ``ServerLimits/republishInterval`` ago.
    fileprivate static func republished(waiting wait: Duration) -> ServiceProblem {
        let policy = "match.republish"
        var problem = ServiceProblem(
            .quotaExceeded,
            "The state was sent again a moment ago.",
            extras: ["violatedPolicies": .array([.text(policy)])]
        )
        problem.retryAfter = wait
        let window = ServerLimits.republishInterval.secondsRoundedUp
        problem.headers[.rateLimitPolicy] = "\"\(policy)\";q=1;w=\(window)"
        problem.headers[.remainingQuota] = "\"\(policy)\";r=0;t=\(wait.secondsRoundedUp)"
        return problem
    }
}
