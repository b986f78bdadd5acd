// The objects of the admin API and of the console.

import MatchEngine
import MatchJournal
import ScoreIngest
import ScoreTypes

extension FeedView {
    /// The feed for operators.
    var json: JSONValue {
        .record([
            "id": .text(status.feed.text), "provider": .text(provider), "state": .text(state),
            "consecutiveFailures": .whole(status.consecutiveFailures), "matches": .whole(status.matches.count),
            "pausedReason": pausedReason.map { .text($0) },
            "lastSuccessAt": status.lastSuccess.map { .text($0.rfc3339) },
            "pollIntervalMs": status.pollInterval.map { .integer($0.milliseconds) },
            "detail": .record([
                "requests": .whole(status.requests), "bytes": .whole(status.bytes),
                "unreadable": .whole(status.unreadable), "notAccepted": .whole(status.notAccepted),
                "open": .bool(status.isOpen), "upcoming": .whole(status.upcoming),
                "overBudget": .whole(status.overBudget),
                "budgetLeft": status.budgetLeft.map { .number($0) } ?? .null,
                "lastNoticeAt": status.lastNotice.map { .text($0.rfc3339) } ?? .null,
                "lastFailure": status.lastFailureReason.map { .text($0) } ?? .null,
            ]),
        ])
    }
}

extension MatchView {
    /// The match for operators.
    func adminJSON(streams: Int) -> JSONValue {
        .record([
            "id": .text(match.text), "title": .text(info.teams.map(\.name).joined(separator: " v ")),
            "status": .text(phase.rawValue), "epoch": .text(revision.epoch.text), "rev": .integer(revision.number),
            "held": .bool(news.isHeld), "feed": .text(news.publication.feed?.text ?? ""), "streams": .whole(streams),
            "observedAt": .text(publication.seenAt.rfc3339), "publishedAt": .text(publication.committedAt.rfc3339),
            "lagMs": .integer((publication.committedAt - publication.seenAt).milliseconds),
            "cause": .text(publication.cause.rawValue),
        ])
    }
}
