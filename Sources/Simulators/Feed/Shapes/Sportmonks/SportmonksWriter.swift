// A whole fixture as Sportmonks sends it, with the requested includes.

import MatchEngine
import ScoreTypes

/// Writes a fixture.
struct SportmonksWriter {
    let match: ShownMatch
    let score: ShownScore
    let numbers: ShapeNumbers
    let includes: Set<String>
    /// Whether each include stands inside `data`.
    let wraps: Bool
    /// The balls of earlier replies.
    let texts: ListTexts<SportmonksShownBall>

    private var info: MatchInfo { score.snapshot.info }

    func write(to json: inout JSONWriter) {
        json.field("resource", "fixtures")
        json.field("id", Int(match.id.text) ?? 0)
        json.field("localteam_id", numbers.team(.first))
        json.field("visitorteam_id", numbers.team(.second))
        json.field("season_id", numbers.season)
        json.field("starting_at", ShapeTime.iso(match.startsAt))
        json.field("type", Self.type(of: info.format))
        json.field("live", match.status.isInPlay)
        json.field("status", SportmonksWords.status(of: score))
        json.field("note", SportmonksWords.result(of: score) ?? "")
        json.field("toss_won_team_id", orNull: info.toss.map { numbers.team($0.winner) })
        json.field("elected", orNull: info.toss.map { $0.decision == .bat ? "batting" : "bowling" })
        writeOutcome(to: &json)
        writeRevision(to: &json)
        json.field("follow_on", score.state.innings.contains(where: \.isFollowOn))
        writeTeams(to: &json)
        if includes.contains("lineup") { writeLineup(to: &json) }
        SportmonksRowsWriter(fixture: self).write(to: &json)
    }

    /// An include that is a list.
    func list<Element>(
        _ name: StaticString,
        _ elements: some Sequence<Element>,
        in json: inout JSONWriter,
        _ write: (Element, inout JSONWriter) -> Void
    ) {
        array(name, in: &json) { list in for element in elements { list.object { write(element, &$0) } } }
    }

    /// An include that is an array.
    func array(_ name: StaticString, in json: inout JSONWriter, _ body: (inout JSONWriter) -> Void) {
        guard includes.contains("\(name)") else { return }
        if wraps { json.object(name) { $0.array("data", body) } } else { json.array(name, body) }
    }

    /// An include that is one thing.
    func one(_ name: StaticString, in json: inout JSONWriter, _ body: (inout JSONWriter) -> Void) {
        if wraps { json.object(name) { $0.object("data", body) } } else { json.object(name, body) }
    }

    private static func type(of format: Format) -> String {
        switch format {
        case .test: "Test/5day"
        case .firstClass: "4day"
        case .odi: "ODI"
        case .listA: "List A"
        case .t20i: "T20I"
        case .t20: "T20"
        case .t10: "T10"
        case .hundred: "100-Ball"
        }
    }

    private func writeOutcome(to json: inout JSONWriter) {
        let result = score.snapshot.result
        json.field("winner_team_id", orNull: (result?.winner ?? result?.tieBreakWinner).map(numbers.team))
        json.field(
            "draw_noresult",
            orNull: result?.kind == .draw ? "draw" : result?.kind == .noResult ? "noresult" : nil
        )
        let isByBowlOut = result?.tieBreak == "bowlOut"
        json.field("super_over", score.snapshot.innings.contains { $0.superOver != nil } && !isByBowlOut)
        json.field("man_of_match_id", orNull: result?.playersOfMatch.first.map(numbers.person))
    }

    /// A revised target, or a limit that is not the usual one.
    private func writeRevision(to json: inout JSONWriter) {
        let revised = SportmonksWords.revisedTarget(of: score)
        let limit = revised?.balls ?? (SportmonksWords.isUsualLimit(info) ? nil : info.ballLimit)
        json.field("rpc_target", orNull: revised?.runs)
        json.number("rpc_overs", limit.map(overs))
        for name: StaticString in ["localteam_dl_data", "visitorteam_dl_data"] {
            json.object(name) { data in
                data.field("score", orNull: revised?.method == nil ? nil : revised?.runs)
                data.null("overs")
                data.null("wickets_out")
            }
        }
    }

    /// Overs as the decimal that is none.
    func overs(_ balls: Int) -> Double {
        Double(balls / info.ballsPerOver) + Double(balls % info.ballsPerOver) / 10
    }

    private func writeTeams(to json: inout JSONWriter) {
        for (name, side): (StaticString, Side) in [("localteam", .first), ("visitorteam", .second)]
        where includes.contains("\(name)") {
            one(name, in: &json) { team in
                team.field("resource", "teams")
                team.field("id", numbers.team(side))
                team.field("name", score.team(side))
            }
        }
        for (name, value): (StaticString, String?) in [
            ("venue", info.venue), ("league", info.competition), ("season", info.season),
        ] where includes.contains("\(name)") {
            guard let value else { continue }
            one(name, in: &json) { $0.field("name", value) }
        }
    }

    /// The squad, as `/teams/{id}/squad/{season}` lists it: only players of the match are known.
    func writeSquad(of side: Side, to json: inout JSONWriter) {
        json.field("resource", "teams")
        json.field("id", numbers.team(side))
        json.field("name", score.team(side))
        json.objects("squad", info.team(side).players) { player, row in
            row.field("resource", "players")
            row.field("id", numbers.player(player))
            row.field("fullname", player.name)
            row.object("squad") { $0.field("season_id", numbers.season) }
        }
    }

    /// The eleven of each side, which are named with the toss.
    private func writeLineup(to json: inout JSONWriter) {
        let eleven = Side.allCases.flatMap { side in
            info.team(side).players.map { (name: $0.name, id: numbers.player($0), side: side, isBench: false) }
        }
        let bench = substitutes.map { (name: $0.name, id: numbers.person($0.name), side: $0.side, isBench: true) }
        list("lineup", match.status == .scheduled ? [] : eleven + bench, in: &json) { player, json in
            json.field("resource", "players")
            json.field("id", player.id)
            json.field("fullname", player.name)
            json.object("lineup") { place in
                place.field("team_id", numbers.team(player.side))
                place.field("captain", false)
                place.field("wicketkeeper", false)
                place.field("substitution", player.isBench)
            }
        }
    }

    /// Fielders who are in neither eleven.
    private var substitutes: [(name: String, side: Side)] {
        let named = Set(Side.allCases.flatMap { info.team($0).players.map(\.name) })
        var found: [String: Side] = [:]
        for delivery in score.snapshot.deliveries where !delivery.dismissals.isEmpty {
            let side = score.snapshot.innings.first { $0.ordinal == delivery.innings }?.batting.opponent ?? .first
            for fielder in delivery.dismissals.flatMap(\.fielders) {
                if let name = fielder.name, !named.contains(name) { found[name] = side }
            }
        }
        return found.map { (name: $0.key, side: $0.value) }.sorted { $0.name < $1.name }
    }
}
