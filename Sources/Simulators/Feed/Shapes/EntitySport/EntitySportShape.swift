// Any Cricsheet match in the format of EntitySport's Cricket API v2.

import MatchEngine
public import ScoreTypes

/// Serves `/auth`, `/matches`, and of a match `info`, `scorecard`, `squads` and `innings/{n}/commentary`.
///
/// The format lacks some facts; the shape keeps the score right as follows:
/// - Penalty runs of a ball have no field: they are what its total has beyond its parts. Those given between balls
///   stand only in the extras of the innings; when they were given is lost.
/// - A second wicket on a ball, and a way out between balls: a `wicket` event on the label of that ball.
/// - A forfeited innings is one declared without a ball.
/// - Reviews, replacements, powerplays and most kinds of pause are left out.
public struct EntitySportShape: FeedShape {
    private let token: String?
    private let isTerse: Bool

    /// Makes the shape.
    ///
    /// - Parameters:
    ///   - token: The required `token` of a request and the result of a sign-in; nil accepts all requests.
    ///   - isTerse: Whether balls have only the fields of the provider's older replies: no runs by
    ///     kind, no player at the other end, no time.
    public init(token: String? = nil, isTerse: Bool = false) {
        self.token = token
        self.isTerse = isTerse
    }

    /// EntitySport.
    public var provider: Provider { .entitySport }

    /// Answers as the provider would.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - match: The present content of the match.
    /// - Returns: The answer; nil for an address that the provider does not have.
    public func answer(_ request: ShapeRequest, of match: ShownMatch) -> ShapeAnswer? {
        answer(request, of: [match])
    }

    private func one(_ parts: [String], _ match: ShownMatch) -> ShapeAnswer? {
        guard let score = try? ShownScore(match) else { return nil }
        let numbers = EntitySportNumbers(match.document)
        let writer = EntitySportCardWriter(match: match, score: score, numbers: numbers)
        switch parts.dropFirst(2).first {
        case "info" where parts.count == 3: return reply(match, writer.writeMatch)
        case "scorecard" where parts.count == 3:
            return reply(match) { json in
                writer.writeMatch(to: &json)
                writer.writeCard(to: &json)
            }
        case "squads" where parts.count == 3: return reply(match, writer.writeSquads)
        case "innings" where parts.count == 5 && parts[4] == "commentary":
            guard let card = Int(parts[3]).flatMap(score.card) else { return nil }
            let events = EntitySportEventWriter(score: score, numbers: numbers, match: match, isTerse: isTerse)
            return reply(match) { json in
                json.key("inning")
                json.object { writer.writeInning(card, to: &$0) }
                json.key("commentaries")
                events.write(card.info.ordinal, to: &json)
                writer.writePlayers(to: &json)
            }
        default: return nil
        }
    }

    private func list(_ request: ShapeRequest, _ matches: [ShownMatch]) -> ShapeAnswer? {
        guard let any = matches.first else { return nil }
        let wanted = request.query["status"].flatMap(Int.init)
        let shown = matches.filter { wanted == nil || EntitySportWords.state($0.status).status == wanted }
        return reply(any) { json in
            json.key("items")
            json.array { list in
                for match in shown {
                    guard let score = try? ShownScore(match) else { continue }
                    let numbers = EntitySportNumbers(match.document)
                    let writer = EntitySportCardWriter(match: match, score: score, numbers: numbers)
                    list.object(writer.writeMatch)
                }
            }
            json.field("total_items", String(shown.count))
            json.field("total_pages", 1)
        }
    }

    private func signIn(_ request: ShapeRequest, _ now: Int64) -> ShapeAnswer {
        guard request.query["access_key"]?.isEmpty == false, request.query["secret_key"]?.isEmpty == false else {
            return Self.refusal
        }
        return ShapeAnswer(
            body: JSONWriter.document { json in
                json.field("status", "ok")
                json.key("response")
                json.object { json in
                    json.field("token", token ?? "open")
                    json.field("expires", String(now + 3_600))
                }
                json.field("api_version", "2.0")
            }
        )
    }

    private static let refusal = ShapeAnswer(
        status: 401,
        body: Array(#"{"status":"unauthorized","response":"Unauthorized","api_version":"2.0"}"#.utf8)
    )

    private func reply(_ match: ShownMatch, _ write: (inout JSONWriter) -> Void) -> ShapeAnswer {
        ShapeAnswer(
            body: JSONWriter.document(reservingBytes: 256 * 1024) { json in
                json.field("status", "ok")
                json.key("response")
                json.object(write)
                json.field("etag", "\(match.version)")
                json.field("modified", EntitySportCardWriter.time(match.updatedAt))
                json.field("datetime", EntitySportCardWriter.time(match.updatedAt))
                json.field("api_version", "2.0")
            }
        )
    }
}

extension EntitySportShape: ListingShape {
    /// Answers for a feed of several matches.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - matches: All that the feed has.
    /// - Returns: The answer; nil for an address that the provider does not have.
    public func answer(_ request: ShapeRequest, of matches: [ShownMatch]) -> ShapeAnswer? {
        let parts = request.segments
        if parts == ["auth"] { return signIn(request, matches.map(\.updatedAt).max() ?? 0) }
        guard parts.first == "matches" else { return nil }
        if let token, request.query["token"] != token { return Self.refusal }
        if parts.count == 1 { return list(request, matches) }
        let match = matches.first { parts[1] == $0.id.text || parts[1] == String(EntitySportNumbers.match($0.id)) }
        return match.flatMap { one(parts, $0) }
    }
}
