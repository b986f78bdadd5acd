// One innings of a snapshot: totals, extras, batting and bowling.

import MatchEngine
import ScoreTypes

/// Writes an innings.
struct InningsDocument {
    let innings: InningsState
    let info: MatchInfo
    let rules: RuleSet

    /// Writes all members.
    func write(_ json: inout JSONWriter) {
        writeTotals(&json)
        writeRows(&json)
    }

    /// Writes the members without the rows of batters, bowlers and falls of wicket.
    func writeTotals(_ json: inout JSONWriter) {
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
        if let limit = innings.limit, innings.isLimitCertain {
            json.field("ballLimit", limit)
            if let quota = rules.bowlerQuota(limit: limit), !innings.isSuperOver { json.field("bowlerBalls", quota) }
        }
        json.field("powerplay", innings.isPowerplay)
        json.field("freeHit", innings.isFreeHitDue && !innings.isClosed)
        json.field("strikeInferred", innings.isStrikeInferred)
        json.object("extras") { json in
            json.field("total", innings.extras.total)
            json.field("byes", innings.extras.byes)
            json.field("legByes", innings.extras.legByes)
            json.field("wides", innings.extras.wides)
            json.field("noBalls", innings.extras.noBalls)
            json.field("penalty", innings.extras.penalty)
        }
    }

    private func writeRows(_ json: inout JSONWriter) {
        json.objects("batters", innings.batters.enumerated()) { batter, json in
            let onStrike = batter.offset == innings.onStrike && !innings.isClosed
            Self.write(batter.element, onStrike: onStrike, into: &json)
        }
        json.objects("bowlers", innings.bowlers) { Self.write($0, ballsPerOver: innings.ballsPerOver, into: &$1) }
        json.objects("fallOfWickets", innings.falls) { fall, json in
            json.field("wicket", fall.number)
            json.field("runs", fall.runs)
            json.field("over", fall.label.description)
            if innings.batters.indices.contains(fall.batter) {
                json.field("batter", innings.batters[fall.batter].player.name)
            }
        }
    }

    /// Writes the members of a row of the batting card.
    static func write(_ batter: BatterLine, onStrike: Bool, into json: inout JSONWriter) {
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

    /// Writes the members of a row of the bowling card.
    static func write(_ bowler: BowlerLine, ballsPerOver: Int, into json: inout JSONWriter) {
        json.field("id", bowler.player.id)
        json.field("name", bowler.player.name)
        json.field("overs", bowler.overs(ballsPerOver: ballsPerOver).text)
        json.field("maidens", bowler.maidens)
        json.field("runs", bowler.runs)
        json.field("wickets", bowler.wickets)
        json.field("economy", bowler.economy(ballsPerOver: ballsPerOver))
    }
}
