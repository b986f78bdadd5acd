// The feed for everybody without a key: the match file itself, as far as it is played.

import MatchEngine
import Providers
import ScoreTypes

/// Serves `/matches` and `/matches/{id}`.
struct CricsheetShape: FeedShape {
    private let texts = ListTexts<CricsheetOver>()

    func answer(_ request: ShapeRequest, of matches: [ShownMatch]) -> ServedAnswer? {
        let parts = request.segments
        guard parts.first == "matches" else { return nil }
        if parts.count == 1 { return ServedAnswer(body: Self.list(matches)) }
        guard parts.count == 2, let match = matches.first(where: { $0.id.text == parts[1] }) else { return nil }
        let document = match.liveDocument
        return ServedAnswer(
            body: JSONWriter.document(reservingBytes: 256 * 1024) { json in
                json.key("info")
                json.value(document.info)
                json.array("innings") { list in
                    for (index, innings) in document.innings.enumerated() {
                        list.object { write(innings, .init(match: match.id, innings: index), to: &$0) }
                    }
                }
                json.key("live")
                json.value(document.live)
            }
        )
    }

    /// Writes the members of an innings.
    private func write(_ innings: CricsheetInnings, _ list: ListTexts<CricsheetOver>.List, to json: inout JSONWriter) {
        if let overs = innings.overs {
            json.array("overs") { texts.write(overs, of: list, to: &$0) { $1.value($0) } }
        }
        var others = innings
        others.overs = nil
        json.raw(JSONWriter.document(others).dropFirst().dropLast())
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
