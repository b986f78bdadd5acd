// Any Cricsheet match in the format of Roanuz' Cricket API v5.

public import ScoreTypes

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
public struct RoanuzShape: FeedShape {
    /// How long a reply may be kept, in seconds: 23 hours, as of a match in play.
    static let life: Int64 = 82_800

    private let project: String
    private let key: String?
    private let memo = ShapeMemo<RoanuzWriter?>()

    /// Makes the shape.
    ///
    /// - Parameters:
    ///   - project: The project in all paths.
    ///   - key: The required API key; nil accepts all requests.
    public init(project: String = "demo", key: String? = nil) {
        self.project = project
        self.key = key
    }

    /// Roanuz.
    public var provider: Provider { .roanuz }

    private var token: String { "token-of-\(project)" }

    /// Answers as the provider would.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - match: The present content of the match.
    /// - Returns: The answer; nil for an address that the provider does not have.
    public func answer(_ request: ShapeRequest, of match: ShownMatch) -> ShapeAnswer? {
        let parts = request.segments
        if request.method == "POST", parts == ["core", project, "auth"] { return signIn(request, at: match.startsAt) }
        guard parts.count > 2, parts[0] == "cricket", parts[1] == project else { return nil }
        guard request.headers["rs-token"] == token else { return refusal(401, "A-401-0") }
        switch Array(parts.dropFirst(2)) {
        case ["featured-matches-2"]: return reply(of: match) { $0.list(to: &$1) }
        case ["match", match.id.text]: return reply(of: match, kind: "match") { $0.whole(to: &$1) }
        case ["match", match.id.text, "subscribe"] where request.method == "POST":
            // It pushes nothing, as the provider does while the webhook has no address.
            return ShapeAnswer(
                body: JSONWriter.document {
                    $0.key("data"); $0.object { _ in }
                }
            )
        case ["match", match.id.text, "ball-by-ball"]: return page(nil, of: match)
        case let path where path.count == 4 && path.starts(with: ["match", match.id.text, "ball-by-ball"]):
            return page(path[3], of: match)
        default: return nil
        }
    }

    private func signIn(_ request: ShapeRequest, at now: Int64) -> ShapeAnswer {
        if let key {
            let given = String(decoding: request.body, as: UTF8.self)
            guard given.contains("\"\(key)\"") else { return refusal(403, "A-403-1") }
        }
        return ShapeAnswer(
            body: JSONWriter.document { json in
                json.key("data")
                json.object { data in
                    data.field("token", token)
                    data.field("expires", now + 86_400)
                }
            }
        )
    }

    private func refusal(_ status: Int, _ code: String) -> ShapeAnswer {
        ShapeAnswer(
            status: status,
            body: JSONWriter.document { json in
                json.key("data")
                json.null()
                json.key("error")
                json.object { $0.field("code", code) }
            }
        )
    }

    private func page(_ key: String?, of match: ShownMatch) -> ShapeAnswer? {
        guard let writer = memo.value(for: match, make: RoanuzWriter.init) else { return refusal(500, "A-500-0") }
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
    ) -> ShapeAnswer {
        guard let writer = memo.value(for: match, make: RoanuzWriter.init) else { return refusal(500, "A-500-0") }
        return ShapeAnswer(
            body: JSONWriter.document(reservingBytes: 64 * 1024) { json in
                json.key("data")
                json.object { body(writer, &$0) }
                json.key("cache")
                json.object { cache in
                    let version = Double(match.version) / 1_000
                    cache.key("expires")
                    cache.number(Double(match.updatedAt + Self.life) + version)
                    cache.key("max_age")
                    cache.null()
                }
                json.key("error")
                json.null()
                json.field("sport", "cricket")
                json.key("schema")
                json.object { schema in
                    schema.field("major_version", "5.0")
                    schema.field("minor_version", "2")
                }
                if let kind { json.field("data_kind", kind) }
            }
        )
    }
}

extension RoanuzShape: ListingShape {
    /// Answers for a feed of several matches.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - matches: All that the feed has.
    /// - Returns: The answer; nil for an address that the provider does not have.
    public func answer(_ request: ShapeRequest, of matches: [ShownMatch]) -> ShapeAnswer? {
        guard let newest = matches.max(by: { $0.updatedAt < $1.updatedAt }) else { return nil }
        guard request.segments == ["cricket", project, "featured-matches-2"] else {
            return matches.lazy.compactMap { self.answer(request, of: $0) }.first
        }
        guard request.headers["rs-token"] == token else { return refusal(401, "A-401-0") }
        return reply(of: newest) { _, json in
            json.key("matches")
            json.array { list in
                for match in matches {
                    if let writer = RoanuzWriter(match) { list.object { writer.frame(to: &$0) } }
                }
            }
        }
    }
}
