// Any Cricsheet match in the format of EntitySport's Cricket API v2.

import MatchEngine
import ScoreTypes

/// Serves `/auth`, `/matches`, and of a match `info`, `scorecard`, `squads` and `innings/{n}/commentary`.
///
/// The format lacks some facts; the shape keeps the score right as follows:
/// - Penalty runs of a ball have no field: they are what its total has beyond its parts. Those given between balls
///   stand only in the extras of the innings; when they were given is lost.
/// - A second wicket on a ball, and a way out between balls: a `wicket` event on the label of that ball.
/// - A forfeited innings is one declared without a ball.
/// - Reviews, replacements, powerplays and most kinds of pause are left out.
struct EntitySportShape: FeedShape {
    /// The required `token` of a request and the result of a sign-in; nil accepts all requests.
    let token: String?
    /// Whether balls have only the fields of the provider's older replies: no runs by kind, no player at the other
    /// end, no time.
    var isTerse = false
    private let scores = ShownScores()
    private let texts = ListTexts<EntitySportShownBall>()

    private func one(_ parts: [String], _ match: ShownMatch) -> ServedAnswer? {
        guard let writer = writer(match) else { return nil }
        switch parts.dropFirst(2).first {
        case "info" where parts.count == 3: return reply(match, writer.writeMatch)
        case "scorecard" where parts.count == 3:
            return reply(match) { json in
                writer.writeMatch(to: &json)
                writer.writeCard(to: &json)
            }
        case "squads" where parts.count == 3: return reply(match, writer.writeSquads)
        case "innings" where parts.count == 5 && parts[4] == "commentary":
            guard let card = Int(parts[3]).flatMap(writer.score.card) else { return nil }
            let events = EntitySportEventWriter(card: writer, texts: texts, isTerse: isTerse)
            return reply(match) { json in
                json.object("inning") { writer.writeInning(card, &$0) }
                json.array("commentaries") { events.write(card.info.ordinal, to: &$0) }
                writer.writePlayers(to: &json)
            }
        default: return nil
        }
    }

    /// The writer of a match; nil when the content is no match.
    private func writer(_ match: ShownMatch) -> EntitySportCardWriter? {
        scores.score(of: match).map { EntitySportCardWriter(match, $0) }
    }

    private func list(_ request: ShapeRequest, _ matches: [ShownMatch]) -> ServedAnswer? {
        guard let any = matches.first else { return nil }
        let wanted = request.query["status"].flatMap(Int.init)
        let shown = matches.filter { wanted == nil || EntitySportWords.state($0.status).status == wanted }
        return reply(any) { json in
            json.objects("items", shown.compactMap(writer)) { $0.writeMatch(to: &$1) }
            json.field("total_items", String(shown.count))
            json.field("total_pages", 1)
        }
    }

    private func signIn(_ request: ShapeRequest, _ now: Int64) -> ServedAnswer {
        guard request.query["access_key"]?.isEmpty == false, request.query["secret_key"]?.isEmpty == false else {
            return Self.refusal
        }
        return ServedAnswer(
            body: JSONWriter.document { json in
                json.field("status", "ok")
                json.object("response") { json in
                    json.field("token", token ?? "open")
                    json.field("expires", String(now + 3_600))
                }
                json.field("api_version", "2.0")
            }
        )
    }

    private static let refusal = ServedAnswer(
        status: 401,
        body: Array(#"{"status":"unauthorized","response":"Unauthorized","api_version":"2.0"}"#.utf8)
    )

    private func reply(_ match: ShownMatch, _ write: (inout JSONWriter) -> Void) -> ServedAnswer {
        ServedAnswer(
            body: JSONWriter.document(reservingBytes: 256 * 1024) { json in
                json.field("status", "ok")
                json.object("response", write)
                json.field("etag", "\(match.version)")
                json.field("modified", EntitySportCardWriter.time(match.updatedAt))
                json.field("datetime", EntitySportCardWriter.time(match.updatedAt))
                json.field("api_version", "2.0")
            }
        )
    }
}

extension EntitySportShape {
    func answer(_ request: ShapeRequest, of matches: [ShownMatch]) -> ServedAnswer? {
        let parts = request.segments
        if parts == ["auth"] { return signIn(request, matches.map(\.updatedAt).max() ?? 0) }
        guard parts.first == "matches" else { return nil }
        if let token, request.query["token"] != token { return Self.refusal }
        if parts.count == 1 { return list(request, matches) }
        let match = matches.first { parts[1] == $0.id.text || parts[1] == String(ShapeNumbers.match($0.id)) }
        return match.flatMap { one(parts, $0) }
    }
}
