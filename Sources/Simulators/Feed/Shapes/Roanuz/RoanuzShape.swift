// Any Cricsheet match in the format of Roanuz' Cricket API v5.

import ScoreTypes

/// Serves the sign-in, `featured-matches-2`, `match/{key}` and `match/{key}/ball-by-ball`, one over a page.
///
/// The format lacks some facts; the shape keeps the score right as follows:
/// - A ball has one type, so byes, leg byes and penalty runs on one ball, or on a no-ball, are given as their sum; the
///   extras of the innings show which of them they were.
/// - Penalty runs before or after an innings stand only in its extras; the score at the fall of the first wicket, on
///   the card of the dismissed batter, shows which of the two they were.
/// - A second wicket on a ball is a row without play that counts as no ball.
/// - All retirements have one name: a batter who is not out is retired hurt.
/// - A declaration and a forfeit have no name: in a match of two innings a side the next innings implies it; the last
///   innings is never declared.
/// - Absent batters stand on the card alone. A substitute is a fielder who is in neither eleven, or has no key.
/// - One word stands for internationals and leagues: nations have countries and well-known names, or meet under the
///   council. Nations in a match that was no international are written as if they had no country.
/// - A replacement has no ball from which it counts.
/// - A reply states until when it may be cached, 23 hours ahead, and not its age.
/// - An uncontested toss is one to bowl; reviews and powerplays are left out. None changes a score.
struct RoanuzShape: FeedShape {
    /// How long a reply may be kept, in seconds: 23 hours, as of a match in play.
    static let life: Int64 = 82_800

    /// The project in all paths.
    let project: String
    /// The required API key; nil accepts all requests.
    let key: String?
    private let scores = ShownScores()
    private let writers = ShapeMemo<RoanuzWriter?>()

    private var token: String { "token-of-\(project)" }

    private func answer(_ request: ShapeRequest, about match: ShownMatch) -> ServedAnswer? {
        let parts = request.segments
        if request.method == "POST", parts == ["core", project, "auth"] { return signIn(request, at: match.startsAt) }
        guard parts.count > 2, parts[0] == "cricket", parts[1] == project else { return nil }
        guard request.headers["rs-token"] == token else { return refusal(401, "A-401-0") }
        switch Array(parts.dropFirst(2)) {
        case ["match", match.id.text]: return reply(of: match, kind: "match") { $0.whole(to: &$1) }
        case ["match", match.id.text, "subscribe"] where request.method == "POST":
            // It pushes nothing, as the provider does while the webhook has no address.
            return ServedAnswer(body: JSONWriter.document { $0.object("data") { _ in } })
        case ["match", match.id.text, "ball-by-ball"]: return page(nil, of: match)
        case let path where path.count == 4 && path.starts(with: ["match", match.id.text, "ball-by-ball"]):
            return page(path[3], of: match)
        default: return nil
        }
    }

    private func signIn(_ request: ShapeRequest, at now: Int64) -> ServedAnswer {
        if let key {
            let given = String(decoding: request.body, as: UTF8.self)
            guard given.contains("\"\(key)\"") else { return refusal(403, "A-403-1") }
        }
        return ServedAnswer(
            body: JSONWriter.document { json in
                json.object("data") { data in
                    data.field("token", token)
                    data.field("expires", now + 86_400)
                }
            }
        )
    }

    private func refusal(_ status: Int, _ code: String) -> ServedAnswer {
        ServedAnswer(
            status: status,
            body: JSONWriter.document { json in
                json.null("data")
                json.object("error") { $0.field("code", code) }
            }
        )
    }

    /// The writer of a match; nil when the content is no match.
    private func writer(_ match: ShownMatch) -> RoanuzWriter? {
        writers.value(for: match) { match in scores.score(of: match).map { RoanuzWriter(match, $0) } }
    }

    private func page(_ key: String?, of match: ShownMatch) -> ServedAnswer? {
        guard let writer = writer(match) else { return refusal(500, "A-500-0") }
        guard let index = key.map({ writer.pages.firstIndex(of: $0) }) ?? writer.pages.indices.last else {
            // Before the first ball there is no over yet.
            return key == nil ? reply(of: match) { _, _ in } : nil
        }
        return reply(of: match) { $0.page(at: index, to: &$1) }
    }

    /// The envelope of every reply; a match also names its kind, pushed or polled.
    private func reply(
        of match: ShownMatch,
        kind: String? = nil,
        _ body: (RoanuzWriter, inout JSONWriter) -> Void
    ) -> ServedAnswer {
        guard let writer = writer(match) else { return refusal(500, "A-500-0") }
        return ServedAnswer(
            body: JSONWriter.document(reservingBytes: 64 * 1024) { json in
                json.object("data") { body(writer, &$0) }
                json.object("cache") { cache in
                    let version = Double(match.version) / 1_000
                    cache.number("expires", Double(match.updatedAt + Self.life) + version)
                    cache.null("max_age")
                }
                json.null("error")
                json.field("sport", "cricket")
                json.object("schema") { schema in
                    schema.field("major_version", "5.0")
                    schema.field("minor_version", "2")
                }
                if let kind { json.field("data_kind", kind) }
            }
        )
    }
}

extension RoanuzShape {
    func answer(_ request: ShapeRequest, of matches: [ShownMatch]) -> ServedAnswer? {
        guard let newest = matches.max(by: { $0.updatedAt < $1.updatedAt }) else { return nil }
        guard request.segments == ["cricket", project, "featured-matches-2"] else {
            return matches.lazy.compactMap { self.answer(request, about: $0) }.first
        }
        guard request.headers["rs-token"] == token else { return refusal(401, "A-401-0") }
        return reply(of: newest) { _, json in
            json.objects("matches", matches.compactMap(writer)) { $0.frame(to: &$1) }
        }
    }
}
