// Any Cricsheet match in the format of CricketData (CricAPI) v1, which has totals only.

import MatchEngine
import ScoreTypes

/// Serves `/currentMatches`, `/matches` and `/match_info`.
///
/// The format has no balls, batters, bowlers, targets and declarations; a revised target is only in the sentence of the
/// result. The counters of the plan grow with the time that has passed, since an answer depends on the content alone.
struct CricketDataShape: FeedShape {
    /// The required `apikey` of a request; nil accepts all requests.
    let key: String?
    private let scores = ShownScores()

    func answer(_ request: ShapeRequest, of matches: [ShownMatch]) -> ServedAnswer? {
        guard let path = request.segments.first, request.segments.count == 1 else { return nil }
        if let key, request.query["apikey"] != key { return Self.failure("Invalid API Key") }
        let hits = matches.map { max(0, $0.updatedAt - $0.startsAt) / SimulatorLimits.secondsAHit }.max() ?? 0
        switch path {
        case "currentMatches", "matches":
            let isPage = request.query["offset"].flatMap(Int.init) ?? 0 == 0
            return Self.reply(hits) { json in
                json.objects("data", isPage ? matches.compactMap(writer) : []) { $0.write(to: &$1) }
            }
        case "match_info":
            guard let match = matches.first(where: { $0.id.text == request.query["id"] }),
                let writer = writer(match)
            else { return Self.failure("Unknown match") }
            return Self.reply(hits) { $0.object("data", writer.write) }
        default: return nil
        }
    }

    /// The writer of a match; nil when the content is no match.
    private func writer(_ match: ShownMatch) -> CricketDataWriter? {
        scores.score(of: match).map { CricketDataWriter(match: match, score: $0) }
    }

    private static func reply(_ hits: Int64, _ writeData: (inout JSONWriter) -> Void) -> ServedAnswer {
        ServedAnswer(
            body: JSONWriter.document { json in
                writeData(&json)
                json.field("status", "success")
                json.object("info") { json in
                    json.field("hitsToday", hits)
                    json.field("hitsUsed", 1)
                    json.field("hitsLimit", SimulatorLimits.hitsOfDay)
                }
            }
        )
    }

    private static func failure(_ reason: String) -> ServedAnswer {
        ServedAnswer(
            body: JSONWriter.document { json in
                json.field("status", "failure")
                json.field("reason", reason)
            }
        )
    }
}
