// One innings of a snapshot: totals, extras, batting and bowling.

import MatchEngine
import ScoreTypes

/// Writes an innings.
struct InningsDocument {
    private let innings: InningsState
    private let info: MatchInfo
    private let rules: RuleSet

    init(_ innings: InningsState, _ info: MatchInfo, _ rules: RuleSet) {
        self.innings = innings
        self.info = info
        self.rules = rules
    }

    /// Writes the object.
    func write(_ json: inout JSONWriter) {
        json.object { json in
            json.field("n", innings.info.ordinal)
            json.field("teamId", info.team(innings.info.batting).id)
            json.field("runs", innings.runs)
            json.field("wickets", innings.wickets)
            json.field("balls", innings.ballsCalled)
            json.field("overs", innings.overs.text(in: rules))
            json.field("score", innings.score)
            json.field("declared", innings.info.isDeclared)
            json.field("followOn", innings.isFollowOn)
            json.field("superOver", innings.isSuperOver)
            json.field("closed", innings.isClosed)
            if let target = innings.target { json.field("target", target.runs) }
            if let limit = innings.limit {
                json.field("ballLimit", limit)
                if let quota = rules.bowlerQuota(limit: limit), !innings.isSuperOver {
                    json.field("bowlerBalls", quota)
                }
            }
            json.field("powerplay", innings.isPowerplay)
            json.field("freeHit", innings.isFreeHitDue && !innings.isClosed)
            json.field("strikeInferred", innings.isStrikeInferred)
            writeExtras(into: &json)
            json.key("batters")
            json.array { json in
                for (index, batter) in innings.batters.enumerated() {
                    Self.write(batter, onStrike: index == innings.onStrike && !innings.isClosed, into: &json)
                }
            }
            json.key("bowlers")
            json.array { json in
                for bowler in innings.bowlers {
                    Self.write(bowler, ballsPerOver: innings.ballsPerOver, into: &json)
                }
            }
            json.key("fallOfWickets")
            json.array { json in for fall in innings.falls { write(fall, into: &json) } }
        }
    }

    private func writeExtras(into json: inout JSONWriter) {
        json.key("extras")
        json.object { json in
            json.field("total", innings.extras.total)
            json.field("byes", innings.extras.byes)
            json.field("legByes", innings.extras.legByes)
            json.field("wides", innings.extras.wides)
            json.field("noBalls", innings.extras.noBalls)
            json.field("penalty", innings.extras.penalty)
        }
    }

    private func write(_ fall: FallOfWicket, into json: inout JSONWriter) {
        json.object { json in
            json.field("wicket", fall.number)
            json.field("runs", fall.runs)
            json.field("over", fall.label.description)
            if innings.batters.indices.contains(fall.batter) {
                json.field("batter", innings.batters[fall.batter].player.name)
            }
        }
    }

    /// Writes a row of the batting card.
    static func write(_ batter: BatterLine, onStrike: Bool, into json: inout JSONWriter) {
        json.object { json in
            json.field("id", batter.player.id)
            json.field("name", batter.player.name)
            json.field("runs", batter.runs)
            json.field("balls", batter.balls)
            json.field("fours", batter.fours)
            json.field("sixes", batter.sixes)
            json.field("onStrike", onStrike)
            json.field("out", batter.status == .out)
            json.field("howOut", batter.howOut)
            json.field("strikeRate", ifPresent: batter.strikeRate)
        }
    }

    /// Writes a row of the bowling card.
    static func write(_ bowler: BowlerLine, ballsPerOver: Int, into json: inout JSONWriter) {
        json.object { json in
            json.field("id", bowler.player.id)
            json.field("name", bowler.player.name)
            json.field("overs", bowler.overs(ballsPerOver: ballsPerOver).text)
            json.field("maidens", bowler.maidens)
            json.field("runs", bowler.runs)
            json.field("wickets", bowler.wickets)
            json.field("economy", bowler.economy(ballsPerOver: ballsPerOver))
        }
    }
}
