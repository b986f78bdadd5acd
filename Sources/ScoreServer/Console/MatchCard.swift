// A match on a page is what phones draw: the content state and the attributes of its newest publication.

import MatchEngine
import MatchJournal
import ScoreTypes

/// The context of a match: the object of the admin API with what its phones draw.
struct MatchCard {
    let view: MatchView
    let streams: Int

    /// The context.
    var context: [String: Any] {
        let json = view.adminJSON(streams: streams)
        var context = ConsoleContext.members(json)
        let content = Self.object(view.publication.contentState)
        let expanded = content?.member("expanded")
        context["phase"] = view.news.isHeld ? "held" : view.phase == .onBreak ? "break" : view.phase.rawValue
        context["tone"] = view.news.isHeld || view.news.staleSince != nil ? "warn" : view.phase == .live ? "good" : ""
        context["competition"] = view.info.competition
        context["revision"] = view.revision.number
        context["lag"] = ConsoleContext.number(json, "lagMs")
        context["at"] = view.publication.committedAt.rfc3339
        context["line"] = ConsoleContext.text(expanded, "line")
        context["event"] = ConsoleContext.text(expanded?.member("event"), "text")
        let rows = self.rows(expanded)
        context["rows"] = rows
        context["scores"] = rows.map { "\($0["abbr"] ?? "") \($0["score"] ?? "")" }.joined(separator: "  ·  ")
        return context
    }

    /// The context of the match's own page, with the people at the crease and the last balls.
    var board: [String: Any] {
        var context = context
        let expanded = Self.object(view.publication.contentState)?.member("expanded")
        let batters = expanded?.member("batters").flatMap(ConsoleContext.value) as? [Any] ?? []
        if !batters.isEmpty || expanded?.member("bowler") != nil {
            var people: [String: Any] = [
                "batters": batters.compactMap { $0 as? [String: Any] }.map { batter in
                    batter.merging(["isOnStrike": batter["onStrike"] ?? false]) { $1 }
                }
            ]
            people["bowler"] = expanded?.member("bowler").flatMap(ConsoleContext.value)
            context["people"] = people
        }
        context["balls"] = expanded?.member("recent").flatMap(ConsoleContext.value)
        return context
    }

    /// The sides with their names, colours and scores.
    private func rows(_ expanded: JSONValue?) -> [[String: Any]] {
        let teams = Self.object(view.publication.attributes)?.member("teams")?.asElements ?? []
        let scores = expanded?.member("teams")?.asElements ?? []
        return teams.enumerated().map { index, team in
            let score = index < scores.count ? scores[index] : nil
            return [
                "abbr": ConsoleContext.text(team, "abbr") ?? "", "name": ConsoleContext.text(team, "name") ?? "",
                "color": ConsoleContext.text(team, "color") ?? "#8a8f98",
                "score": ConsoleContext.text(score, "score") ?? "",
                "overs": ConsoleContext.text(score, "overs") ?? "",
                "isBatting": score?.member("batting") == .bool(true),
            ]
        }
    }

    /// A document that this server has rendered; the checks of a strict reader would take half of the time of a card.
    private static func object(_ document: [UInt8]) -> JSONValue? {
        (try? JSONElement(parsing: document, .lenient)).map { JSONValue($0) }
    }
}
