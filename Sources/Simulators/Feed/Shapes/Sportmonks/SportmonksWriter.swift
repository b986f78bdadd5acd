// A whole fixture as Sportmonks sends it, with the requested includes.

import MatchEngine
import ScoreTypes

/// Writes a fixture.
struct SportmonksWriter {
    let match: ShownMatch
    let score: ShownScore
    let numbers: SportmonksNumbers
    let includes: Set<String>
    /// Whether each include stands inside `data`.
    let wraps: Bool

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
        writeNote(to: &json)
        writeToss(to: &json)
        writeOutcome(to: &json)
        writeRevision(to: &json)
        json.field("follow_on", score.state.innings.contains(where: \.isFollowOn))
        writeTeams(to: &json)
        if includes.contains("lineup") { writeLineup(to: &json) }
        SportmonksRowsWriter(fixture: self).write(to: &json)
    }

    /// An include that is a list.
    func list(_ name: StaticString, in json: inout JSONWriter, _ body: (inout JSONWriter) -> Void) {
        guard includes.contains("\(name)") else { return }
        json.key(name)
        guard wraps else { return json.array(body) }
        json.object { inner in
            inner.key("data")
            inner.array(body)
        }
    }

    /// An include that is one thing.
    func one(_ name: StaticString, in json: inout JSONWriter, _ body: (inout JSONWriter) -> Void) {
        json.key(name)
        guard wraps else { return json.object(body) }
        json.object { inner in
            inner.key("data")
            inner.object(body)
        }
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

    private func writeNote(to json: inout JSONWriter) {
        let words = SportmonksWords.result(of: score) ?? match.note ?? ""
        json.field("note", words)
    }

    private func writeToss(to json: inout JSONWriter) {
        json.key("toss_won_team_id")
        json.whole(info.toss.map { numbers.team($0.winner) })
        json.key("elected")
        json.text(info.toss.map { $0.decision == .bat ? "batting" : "bowling" })
    }

    private func writeOutcome(to json: inout JSONWriter) {
        let result = score.snapshot.result
        json.key("winner_team_id")
        json.whole((result?.winner ?? result?.tieBreakWinner).map(numbers.team))
        json.key("draw_noresult")
        switch result?.kind {
        case .draw?: json.string("draw")
        case .noResult?: json.string("noresult")
        default: json.null()
        }
        let isByBowlOut = result?.tieBreak == "bowlOut"
        json.field("super_over", score.snapshot.innings.contains { $0.superOver != nil } && !isByBowlOut)
        json.key("man_of_match_id")
        json.whole(result?.playersOfMatch.first.map(numbers.person))
    }

    /// A revised target, or a limit that is not the usual one.
    private func writeRevision(to json: inout JSONWriter) {
        let revised = SportmonksWords.revisedTarget(of: score)
        let limit = revised?.balls ?? (SportmonksWords.isUsualLimit(info) ? nil : info.ballLimit)
        json.key("rpc_target")
        json.whole(revised?.runs)
        json.key("rpc_overs")
        if let limit { json.number(overs(limit)) } else { json.null() }
        for name: StaticString in ["localteam_dl_data", "visitorteam_dl_data"] {
            json.key(name)
            json.object { data in
                data.key("score")
                data.whole(revised?.method == nil ? nil : revised?.runs)
                data.key("overs")
                data.null()
                data.key("wickets_out")
                data.null()
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
        json.key("squad")
        json.array { rows in
            for player in info.team(side).players {
                rows.object { row in
                    row.field("resource", "players")
                    row.field("id", numbers.player(player))
                    row.field("fullname", player.name)
                    row.key("squad")
                    row.object { $0.field("season_id", numbers.season) }
                }
            }
        }
    }

    /// The eleven of each side, which are named with the toss.
    private func writeLineup(to json: inout JSONWriter) {
        list("lineup", in: &json) { rows in
            guard match.status != .scheduled else { return }
            for side in Side.allCases {
                for player in info.team(side).players {
                    rows.object { write(player.name, numbers.player(player), side, isBench: false, to: &$0) }
                }
            }
            for (name, side) in substitutes {
                rows.object { write(name, numbers.person(name), side, isBench: true, to: &$0) }
            }
        }
    }

    private func write(_ name: String, _ id: Int, _ side: Side, isBench: Bool, to json: inout JSONWriter) {
        json.field("resource", "players")
        json.field("id", id)
        json.field("fullname", name)
        json.key("lineup")
        json.object { place in
            place.field("team_id", numbers.team(side))
            place.field("captain", false)
            place.field("wicketkeeper", false)
            place.field("substitution", isBench)
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

extension JSONWriter {
    /// Writes a whole number or null.
    mutating func whole(_ value: Int?) {
        if let value { integer(value) } else { null() }
    }

    /// Writes a text or null.
    mutating func text(_ value: String?) {
        if let value { string(value) } else { null() }
    }
}
