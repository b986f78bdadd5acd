// The feed for everybody without a key: the match file itself, as far as it is played.

import MatchEngine
import Providers
import ScoreTypes

/// Serves `/matches` and `/matches/{id}`.
struct CricsheetShape: FeedShape {
    func answer(_ request: ShapeRequest, of matches: [ShownMatch]) -> ServedAnswer? {
        let parts = request.segments
        guard parts.first == "matches" else { return nil }
        if parts.count == 1 { return ServedAnswer(body: Self.list(matches)) }
        guard parts.count == 2, let match = matches.first(where: { $0.id.text == parts[1] }) else { return nil }
        return ServedAnswer(body: match.liveDocument.json())
    }

    private static func list(_ matches: [ShownMatch]) -> [UInt8] {
        JSONWriter.document { json in
            json.objects("matches", matches) { match, json in
                json.field("id", match.id.text)
                if match.isStartFixed { json.field("startsAt", match.startsAt) }
                json.field("state", match.status.rawValue)
            }
        }
    }
}
