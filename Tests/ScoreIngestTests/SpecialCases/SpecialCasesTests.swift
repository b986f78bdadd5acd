// Every special case of recorded cricket, by name: a match with it has the state that the case means.

import Foundation
import MatchEngine
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct SpecialCasesTests {
    typealias Holds = @Sendable (SpecialMatch) -> Bool

    static let cases: [String: Holds] = runs.merging(overs) { one, _ in one }.merging(people) { one, _ in one }
        .merging(wickets) { one, _ in one }.merging(results) { one, _ in one }

    private static let runs: [String: Holds] = [
        "ball_total_12": { $0.ball { $0.total == 12 } },
        "ball_total_8": { $0.ball { $0.total == 8 } },
        "batter_runs_5": { $0.ball { $0.runs.bat == 5 } },
        "batter_runs_7": { $0.ball { $0.runs.bat == 7 } },
        "batter_runs_8": { $0.ball { $0.runs.bat == 8 } },
        "combined_extras:byes+noballs": { $0.ball { $0.runs.byes > 0 && $0.runs.noBalls > 0 } },
        "combined_extras:legbyes+noballs": { $0.ball { $0.runs.legByes > 0 && $0.runs.noBalls > 0 } },
        "combined_extras:legbyes+penalty": { $0.ball { $0.runs.legByes > 0 && $0.runs.penalty > 0 } },
        "combined_extras:noballs+penalty": { $0.ball { $0.runs.noBalls > 0 && $0.runs.penalty > 0 } },
        "combined_extras:penalty+wides": { $0.ball { $0.runs.penalty > 0 && $0.runs.wides > 0 } },
        "innings_total_zero": { $0.innings { $0.runs == 0 && $0.hasBegun } },
        "non_boundary_4": { $0.ball { $0.runs.bat == 4 && $0.isAllRun } },
        "non_boundary_6": { $0.ball { $0.runs.bat == 6 && $0.isAllRun } },
        "penalty_on_delivery": { $0.ball { $0.runs.penalty > 0 } && $0.innings { $0.extras.penalty >= 5 } },
        "penalty_runs:post": { $0.innings { $0.info.penaltyAfter > 0 && $0.runs >= $0.info.penaltyAfter } },
        "penalty_runs:pre": { $0.innings { $0.info.penaltyBefore > 0 && $0.runs >= $0.info.penaltyBefore } },
        "six_sixes_in_over": { $0.hasMoment(.sixSixes) },
        "wide_with_bat_runs": { $0.ball { $0.runs.wides > 0 && $0.runs.bat > 0 } },
    ]

    private static let overs: [String: Holds] = [
        "bowler_change_mid_over": { match in
            zip(match.snapshot.deliveries, match.snapshot.deliveries.dropFirst()).contains {
                $0.innings == $1.innings && $0.over == $1.over && $0.bowler != $1.bowler
            }
        },
        "last_over_legal_7": { $0.lastOvers.contains(7) },
        "miscounted_over_5_actual5": { $0.snapshot.info.ballsPerOver == 6 && $0.wholeOvers.contains(5) },
        "miscounted_over_6_actual6": { $0.snapshot.info.ballsPerOver == 5 && $0.overs.contains(6) },
        "miscounted_over_7_actual7": { $0.overs.contains(7) },
        "miscounted_over_8_actual8": { $0.wholeOvers.contains(8) },
        "powerplay_starts_mid_over": { $0.innings { $0.info.powerplays.contains { $0.first.ball > 1 } } },
        "same_bowler_consecutive_overs": { match in
            zip(match.snapshot.deliveries, match.snapshot.deliveries.dropFirst()).contains {
                $0.innings == $1.innings && $0.over + 1 == $1.over && $0.bowler == $1.bowler
            }
        },
        "target_fractional_overs": { match in
            match.innings { ($0.target?.balls ?? 0) % match.snapshot.info.ballsPerOver != 0 }
        },
        "target_not_first_plus_1": { ($0.chase?.second.target?.runs ?? 0) != ($0.chase?.first.runs ?? 0) + 1 },
        "target_reduced_overs": { ($0.chase?.second.limit ?? .max) < ($0.state.rules.ballLimit ?? 0) },
        "limited_overs_multi_day(reserve day)": { !$0.state.rules.hasTwoInnings && $0.snapshot.info.days.count > 1 },
    ]

    private static let people: [String: Holds] = [
        "absent_hurt": { $0.innings { $0.batters.contains { $0.status == .absent && $0.howOut == "absent hurt" } } },
        "fielder_without_name": { $0.innings { $0.batters.contains { $0.howOut.contains("sub") } } },
        "squad_size_not_11": { $0.snapshot.info.teams.contains { $0.players.count != 11 } },
        "replacement:match:concussion_substitute": { $0.replaces(.concussion) && $0.hasMoment(.substitute) },
        "replacement:match:covid_replacement": { $0.replaces(.covid) },
        "replacement:match:impact_player": { $0.replaces(.impactPlayer) && $0.hasMoment(.substitute) },
        "replacement:match:injury_substitute": { $0.replaces(.injury) },
        "replacement:match:national_callup": { $0.replaces(.nationalCallUp) },
        "replacement:match:national_release": { $0.replaces(.nationalRelease) },
        "replacement:match:supersub": { $0.replaces(.supersub) },
        "replacement:match:tactical_substitute": { $0.replaces(.tactical) },
        "replacement:match:unknown": { $0.replaces(.unknown) },
        "replacement:role:excluded - excessive short-pitched deliveries": { $0.replaces(.excluded, .role) },
        "replacement:role:excluded - high full pitched balls": { $0.replaces(.excluded, .role) },
        "replacement:role:excluded - running on the pitch": { $0.replaces(.excluded, .role) },
        "replacement:role:injury": { $0.replaces(.injury, .role) },
        "replacement:role:too many overs": { $0.replaces(.excluded, .role) },
        "replacement:role:unknown": { $0.replaces(.unknown, .role) },
        "supersubs": { $0.replaces(.supersub) },
        "review:odd": { $0.reviews(.failed) },
        "review:struck down": { $0.reviews(.struckDown) },
        "review:struck down umpires_call": { $0.reviews(.struckDown, umpiresCall: true) },
        "review:technical failure": { $0.reviews(.failed) },
        "review:upheld": { $0.reviews(.upheld) },
    ]

    private static let wickets: [String: Holds] = [
        "four_in_four": { $0.hasMoment(.fourInFour) },
        "hat_trick": { $0.hasMoment(.hatTrick) },
        "multi_wicket_ball_10": { $0.ball { $0.dismissals.count == 10 } },
        "multi_wicket_ball_2": { $0.ball { $0.dismissals.count == 2 } },
        "non_striker_out_odd:handled the ball": {
            $0.out { $0.kind == .handledTheBall && $0.out == $1.nonStriker }
        },
        "player_out_not_at_crease": { $0.out { $0.out != $1.striker && $0.out != $1.nonStriker } },
        "wicket:handled the ball": { $0.card(.handledTheBall, "handled the ball") },
        "wicket:hit the ball twice": { $0.card(.hitTheBallTwice, "hit the ball twice") },
        "wicket:hit wicket": { $0.card(.hitWicket, "hit wicket b ") },
        "wicket:obstructing the field": { $0.card(.obstructingTheField, "obstructing the field") },
        "wicket:retired hurt": { $0.card(.retiredHurt, "retired hurt") },
        "wicket:retired not out": { $0.card(.retiredNotOut, "retired not out") },
        "wicket:retired out": { $0.card(.retiredOut, "retired out") },
        "wicket:timed out": { $0.card(.timedOut, "timed out") },
        "wicket_on_noball:retired hurt": { $0.out { $0.kind == .retiredHurt && $1.runs.noBalls > 0 } },
        "wicket_on_noball:retired not out": { $0.out { $0.kind == .retiredNotOut && $1.runs.noBalls > 0 } },
        "wicket_on_noball:retired out": { $0.out { $0.kind == .retiredOut && $1.runs.noBalls > 0 } },
        "wicket_on_noball:run out": { $0.out { $0.kind == .runOut && $1.runs.noBalls > 0 } },
        "wicket_on_wide:bowled": { $0.out { $0.kind == .bowled && $1.runs.wides > 0 } },
        "wicket_on_wide:caught": { $0.out { $0.kind == .caught && $1.runs.wides > 0 } },
        "wicket_on_wide:hit wicket": { $0.out { $0.kind == .hitWicket && $1.runs.wides > 0 } },
        "wicket_on_wide:obstructing the field": { $0.out { $0.kind == .obstructingTheField && $1.runs.wides > 0 } },
        "wicket_on_wide:retired hurt": { $0.out { $0.kind == .retiredHurt && $1.runs.wides > 0 } },
        "wicket_on_wide:run out": { $0.out { $0.kind == .runOut && $1.runs.wides > 0 } },
        "wicket_on_wide:stumped": { $0.out { $0.kind == .stumped && $1.runs.wides > 0 } },
    ]

    /// A case of the faults of published files has another result than the balls prove.
    private static let isDisputed: Holds = { $0.state.proven?.kind != $0.state.result?.kind }

    private static let results: [String: Holds] = [
        "conformance:FC:BAD fc wkts": isDisputed,
        "conformance:FC:fc no by": { $0.state.result?.kind == .awarded },
        "conformance:LO:BAD runs": { $0.state.result?.method != nil && $0.state.result?.winner != nil },
        "conformance:LO:BAD superover winner": { $0.state.result?.tieBreak == "boundaryCount" },
        "conformance:LO:BAD wkts": isDisputed,
        "conformance:LO:no by": { $0.state.result?.kind == .fewerWickets },
        "conformance:LO:no target field": { $0.snapshot.innings.allSatisfy { $0.target == nil } },
        "declared": { $0.innings { $0.end == .declared && $0.score.hasSuffix("d") } },
        "follow_on": { $0.innings { $0.isFollowOn } && $0.hasMoment(.followOn) },
        "forfeited": { $0.innings { $0.end == .forfeited && $0.score == "forf" } },
        "method:Awarded": { $0.state.result?.kind == .awarded },
        "method:D/L": { $0.state.result?.method == "D/L" },
        "method:Lost fewer wickets": { $0.state.result?.kind == .fewerWickets },
        "method:VJD": { $0.state.result?.method == "VJD" },
        "outcome:bowl_out": { $0.state.result?.tieBreak == "bowlOut" && $0.state.result?.winner != nil },
        "outcome:eliminator": { $0.state.result?.kind == .tie && $0.state.result?.winner != nil },
        "result:draw": { $0.state.result?.kind == .draw && $0.state.proven?.kind == .draw },
        "result:no result": { $0.state.result?.kind == .noResult && $0.state.result?.winner == nil },
        "result:tie": { $0.state.result?.kind == .tie },
        "super_over:1_pair": { $0.state.innings.count(where: \.isSuperOver) == 2 },
        "super_over:3_pair": { $0.state.innings.count(where: \.isSuperOver) == 6 && $0.hasMoment(.superOver) },
        "winner_without_margin": {
            [.awarded, .fewerWickets, .won].contains($0.state.result?.kind) && $0.state.result?.winner != nil
        },
        "ESPN milestone notes oracle": { $0.hasMoment(.teamMilestone) && $0.hasMoment(.partnership) },
        "random sample": { $0.state.result != nil && !$0.state.innings.isEmpty },
        "twin:espn ball by ball sample": { $0.state.result?.isOfficial == true },
        "twin:espn basic sample": { $0.state.result?.isOfficial == true },
        "twin:espn scoreboard sample": { $0.state.result?.isOfficial == true },
        "twin:pulse sample": { $0.state.result?.isOfficial == true },
    ]

    private static let recorded = Result { try RecordedMatches.read(.special) }
    private static let table = Result { try listed() }

    @Test(.needsRecordedMatches, arguments: cases.keys.sorted())
    func holds(name: String) throws {
        let holds = try #require(Self.cases[name])
        for id in try Self.table.get()[name] ?? [] {
            let snapshot = try #require(try Self.recorded.get()[id], "\(id) is not in the archive")
            let isSo = holds(SpecialMatch(snapshot))
            #expect(isSo, "match \(id)")
        }
    }

    @Test(.needsRecordedMatches)
    func everyListedCaseHasACheck() throws {
        let listed = try Self.table.get()
        #expect(listed.count > 100)
        for (name, _) in listed { #expect(Self.cases[name] != nil, "\(name)") }
    }

    /// Ids of matches by case, from the list that comes with the archive.
    private static func listed() throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for line in try RecordedData.rows("cricsheet/special_pack.csv") {
            let cells = line.split(separator: ",", omittingEmptySubsequences: false)
            guard let id = cells.first, let names = cells.last else { continue }
            for name in names.split(whereSeparator: { "|;".contains($0) }) {
                let clean = name.trimmingCharacters(in: .whitespaces)
                if !clean.isEmpty { found[clean, default: []].append(String(id)) }
            }
        }
        return found
    }
}
