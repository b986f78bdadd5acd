// The frame and the card of a match: `info`, `scorecard`, and the items of the list.

import MatchEngine
internal import Providers
import ScoreTypes

/// Writes what stands beside the balls.
struct EntitySportCardWriter {
    let match: ShownMatch
    let score: ShownScore
    let numbers: ShapeNumbers

    init(_ match: ShownMatch, _ score: ShownScore) {
        self.match = match
        self.score = score
        numbers = ShapeNumbers(match.document)
    }

    private var info: MatchInfo { score.snapshot.info }

    /// Writes the members of a match.
    func writeMatch(to json: inout JSONWriter) {
        let words = EntitySportWords.state(match.status)
        let format = EntitySportWords.format(info.format)
        let isOver = words.status == 2 || words.status == 4
        let sentence = isOver ? score.resultSentence ?? "" : ""
        json.field("match_id", ShapeNumbers.match(match.id))
        json.field("title", "\(score.team(.first)) vs \(score.team(.second))")
        json.field("format", format.number)
        json.field("format_str", format.text)
        json.field("status", words.status)
        json.field("status_str", EntitySportWords.statuses[words.status - 1])
        json.field("status_note", sentence)
        json.field("verified", match.isFinal ? "true" : "false")
        json.field("game_state", words.state)
        json.field("game_state_str", words.text)
        json.object("competition") { json in
            json.field("title", info.competition ?? "")
            json.field("season", info.season ?? "")
            json.field("category", info.isWomens ? "women" : "domestic")
        }
        for side in Side.allCases { json.object(side.entitySportKey) { writeTeam(side, to: &$0) } }
        json.field("date_start", Self.time(match.startsAt))
        json.field("date_end", Self.time(match.startsAt + Int64(max(1, info.days.count) - 1) * 86_400))
        json.field("timestamp_start", match.startsAt)
        json.object("venue") { $0.field("name", info.venue ?? "") }
        json.field("result", sentence)
        json.field("winning_team_id", isOver ? score.state.result?.winner.map(numbers.team) ?? 0 : 0)
        json.field("latest_inning_number", score.state.innings.count)
        writeToss(to: &json)
    }

    private func writeTeam(_ side: Side, to json: inout JSONWriter) {
        json.field("team_id", numbers.team(side))
        json.field("name", score.team(side))
        json.field("short_name", score.state.abbreviations[side])
        let innings = score.state.innings(of: side).filter(\.hasBegun)
        json.field("scores_full", innings.map(Self.full).joined(separator: " & "))
        json.field("scores", innings.last.map { "\($0.runs)/\($0.wickets)" } ?? "")
        json.field("overs", innings.last.map { $0.overs.text } ?? "")
    }

    private func writeToss(to json: inout JSONWriter) {
        json.object("toss") { json in
            guard let toss = info.toss else {
                json.field("text", "")
                json.field("winner", 0)
                json.field("decision", 0)
                return
            }
            let bats = toss.decision == .bat
            json.field("text", "\(score.team(toss.winner)) won the toss & elected to \(bats ? "bat" : "field")")
            json.field("winner", numbers.team(toss.winner))
            json.field("decision", bats ? 1 : 2)
        }
    }

    /// Writes what only the scorecard has.
    func writeCard(to json: inout JSONWriter) {
        json.key("man_of_the_match")
        if let name = score.state.result?.playersOfMatch.first {
            json.object { json in
                json.field("pid", numbers.person(name))
                json.field("name", name)
            }
        } else {
            json.string("")
        }
        json.objects("innings", score.state.innings, writeInning)
        writePlayers(to: &json)
    }

    /// Writes the members of an innings; they stand beside its balls too.
    func writeInning(_ card: InningsState, _ json: inout JSONWriter) {
        let isComplete = card.isClosed || match.status.isFinal
        json.field("iid", card.info.ordinal)
        json.field("number", card.info.ordinal)
        json.field("name", "\(score.team(card.info.batting)) inning")
        json.field("status", isComplete ? 2 : 3)
        json.field("issuperover", card.isSuperOver ? "true" : "false")
        json.field("result", isComplete ? EntitySportWords.result(card) : 0)
        json.field("batting_team_id", numbers.team(card.info.batting))
        json.field("fielding_team_id", numbers.team(card.info.batting.opponent))
        json.field("scores", "\(card.runs)/\(card.wickets)")
        json.field("scores_full", Self.full(card))
        json.field("target", card.info.target.map { String($0.runs) } ?? "")
        json.field("max_over", maxOver(card))
        json.objects("batsmen", card.batters.enumerated()) { entry, json in
            writeBatsman(entry.element, position: position(of: entry.offset, card), to: &json)
        }
        json.objects("bowlers", card.bowlers) { writeBowler($0, card, to: &$1) }
        json.object("extra_runs") { json in
            json.field("byes", card.extras.byes)
            json.field("legbyes", card.extras.legByes)
            json.field("wides", card.extras.wides)
            json.field("noballs", card.extras.noBalls)
            json.field("penalty", card.extras.penalty == 0 ? "" : String(card.extras.penalty))
            json.field("total", card.extras.total)
        }
    }

    /// `20`, `8.4`: the limit that the innings was given; the first has that of the match.
    private func maxOver(_ card: InningsState) -> String {
        let balls = card.info.target?.balls ?? (card.info.ordinal == 1 ? info.ballLimit : nil)
        guard let balls, !card.isSuperOver else { return "" }
        return Overs(balls: balls, ballsPerOver: info.ballsPerOver).text
    }

    /// `striker` and `non-striker`, as far as the balls show them.
    private func position(of index: Int, _ card: InningsState) -> String {
        guard !card.isClosed, !match.status.isFinal, let striker = card.onStrike, card.atCrease.contains(index) else {
            return ""
        }
        return index == striker ? "striker" : "non-striker"
    }

    private func writeBatsman(_ line: BatterLine, position: String, to json: inout JSONWriter) {
        json.field("batsman_id", String(numbers.player(line.player)))
        json.field("name", line.player.name)
        json.field("batting", line.status == .batting ? "true" : "false")
        json.field("position", position)
        json.field("runs", String(line.runs))
        json.field("balls_faced", String(line.balls))
        json.field("fours", String(line.fours))
        json.field("sixes", String(line.sixes))
        let bowler = line.dismissedBy?.name ?? ""
        let out = line.dismissal.map { EntitySportWords.dismissal($0, bowler: bowler) } ?? ("", "Not out")
        let (code, howOut) = line.status == .absent ? ("absent", "absent hurt") : out
        json.field("how_out", howOut)
        json.field("dismissal", code)
        let fielders = (line.dismissal?.fielders ?? []).compactMap(\.name).map { String(numbers.person($0)) }
        json.field("first_fielder_id", fielders.first ?? "")
        json.field("second_fielder_id", fielders.count > 1 ? fielders[1] : "")
        json.field("third_fielder_id", fielders.count > 2 ? fielders[2] : "")
    }

    private func writeBowler(_ line: BowlerLine, _ card: InningsState, to json: inout JSONWriter) {
        json.field("bowler_id", String(numbers.player(line.player)))
        json.field("name", line.player.name)
        json.field("overs", line.overs(ballsPerOver: card.ballsPerOver).text)
        json.field("maidens", String(line.maidens))
        json.field("runs_conceded", String(line.runs))
        json.field("wickets", String(line.wickets))
    }

    /// Writes everybody whom the file names.
    func writePlayers(to json: inout JSONWriter) {
        var names = Set(match.document.info.registry?.people.map { Array($0.keys) } ?? [])
        for list in (match.document.info.players ?? [:]).values { names.formUnion(list) }
        json.objects("players", names.sorted()) { name, json in
            json.field("pid", numbers.person(name))
            json.field("title", name)
            json.field("short_name", name)
        }
    }

    /// Writes the squads: all who are named to play.
    func writeSquads(to json: inout JSONWriter) {
        for side in Side.allCases {
            json.object(side.entitySportKey) { json in
                json.field("team_id", numbers.team(side))
                json.objects("squads", info.team(side).players) { player, json in
                    json.field("player_id", String(numbers.player(player)))
                    json.field("role", "")
                    json.field("playing11", "true")
                }
            }
        }
        writePlayers(to: &json)
    }

    private static func full(_ card: InningsState) -> String { "\(card.runs)/\(card.wickets) (\(card.overs.text) ov)" }

    /// `2026-10-09 13:01:52`.
    static func time(_ seconds: Int64) -> String {
        let text = ShapeTime.iso(seconds)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))"
    }
}

extension Side {
    /// The member of a match that holds the side.
    fileprivate var entitySportKey: StaticString { self == .first ? "teama" : "teamb" }
}
