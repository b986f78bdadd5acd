// The objects of the admin API and of the console.

import MatchEngine
import MatchJournal
import ScoreTypes

extension FeedView {
    /// The feed for operators.
    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init(name: "id", value: .text(id.text)),
            .init(name: "provider", value: .text(provider)),
            .init(name: "state", value: .text(state)),
            .init(name: "consecutiveFailures", value: .integer(Int64(consecutiveFailures))),
            .init(name: "matches", value: .integer(Int64(matchCount))),
        ]
        if let pausedReason { members.append(.init(name: "pausedReason", value: .text(pausedReason))) }
        if let lastSuccessAt { members.append(.init(name: "lastSuccessAt", value: .text(lastSuccessAt.rfc3339))) }
        if let interval = pollIntervalMilliseconds {
            members.append(.init(name: "pollIntervalMs", value: .integer(interval)))
        }
        members.append(.init(name: "detail", value: detail))
        return .object(members)
    }
}

extension MatchView {
    /// The match for operators.
    func adminJSON(streams: Int) -> JSONValue {
        .record([
            "id": .text(match.text), "title": .text(info.teams.map(\.name).joined(separator: " v ")),
            "status": .text(phase.rawValue), "epoch": .text(revision.epoch.text), "rev": .integer(revision.number),
            "held": .bool(news.isHeld), "feed": .text(news.feed.text), "streams": .integer(Int64(streams)),
            "observedAt": .text(publication.seenAt.rfc3339), "publishedAt": .text(publication.committedAt.rfc3339),
            "lagMs": .integer((publication.committedAt - publication.seenAt).milliseconds),
            "cause": .text(publication.cause.rawValue),
        ])
    }
}

extension AuditRow {
    /// The line for operators.
    var json: JSONValue {
        .record([
            "id": .integer(id), "at": .text(at.rfc3339), "actor": .text(entry.actor), "role": .text(entry.role),
            "action": .text(entry.action), "target": .text(entry.target), "reason": .text(entry.reason),
            "outcome": .text(entry.outcome.rawValue), "requestId": .text(entry.requestID), "detail": entry.detail,
        ])
    }
}
