// One answer has the followers of a match, its newest push and its hold.

import MatchEngine
import MatchJournal
import ScoreTypes

/// `GET /admin/api/v1/matches/{id}`.
struct AdminMatchDetail: Sendable {
    let view: MatchView
    let streams: Int
    /// The counts of followers, activities and receipts.
    let detail: JSONValue?
    let pipeline: JSONValue

    /// The object of the admin API.
    var json: JSONValue {
        .record([
            "match": view.adminJSON(streams: streams), "detail": detail ?? .object([]), "hold": hold,
            "lastPush": lastPush,
        ])
    }

    private var hold: JSONValue {
        guard let hold = view.news.hold else { return .null }
        return .record(["reason": .text(hold.reason), "since": .text(hold.since.rfc3339)])
    }

    /// The newest publication, and how far this node has sent it.
    private var lastPush: JSONValue {
        let publication = view.publication
        let fanout = pipeline.member("dispatcher")?.member("matches")?.asElements?.first {
            $0.member("matchId")?.asText == view.match.text
        }
        return .record([
            "rev": .integer(publication.revision.number), "at": .text(publication.committedAt.rfc3339),
            "cause": .text(publication.cause.rawValue), "priority": .whole(publication.priority.rawValue),
            "alert": publication.alert.map { .text($0.title) } ?? .null,
            "relevance": .whole(publication.relevance), "bytes": .whole(publication.contentState.count),
            "fanout": fanout ?? .null,
        ])
    }
}
