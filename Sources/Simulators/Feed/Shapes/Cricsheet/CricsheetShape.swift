// The feed for everybody without a key: the match file itself, as far as it is played.

import MatchEngine
internal import Providers
public import ScoreTypes

/// Serves `/matches` and `/matches/{id}`.
public struct CricsheetShape: FeedShape {
    /// Makes the shape.
    public init() {}

    /// Files of Cricsheet.
    public var provider: Provider { .cricsheet }

    /// Answers a request in the provider's format.
    public func answer(_ request: ShapeRequest, of matches: [ShownMatch]) -> ServedAnswer? {
        let parts = request.segments
        guard parts.first == "matches" else { return nil }
        if parts.count == 1 { return ServedAnswer(body: Self.list(matches)) }
        guard parts.count == 2, let match = matches.first(where: { $0.id.text == parts[1] }) else { return nil }
        var document = match.document
        document.live = CricsheetDocument.Live(
            state: match.status.rawValue,
            note: match.note,
            since: match.since,
            startsAt: match.startsAt,
            version: match.version
        )
        return ServedAnswer(body: document.json())
    }

    private static func list(_ matches: [ShownMatch]) -> [UInt8] {
        JSONWriter.document { json in
            json.key("matches")
            json.array { list in
                for match in matches {
                    list.object { json in
                        json.field("id", match.id.text)
                        json.field("startsAt", match.startsAt)
                        json.field("state", match.status.rawValue)
                    }
                }
            }
        }
    }
}
