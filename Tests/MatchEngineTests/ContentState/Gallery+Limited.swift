// Situations of a limited-overs match, and their texts in the six presentations.

@testable import MatchEngine

extension Gallery {
    static let limited: [Scene] = [
        Scene(
            name: "one ball bowled",
            script: {
                t20 {
                    $0.begin(.first); $0.bowl("4")
                }
            },
            expected: """
                state    live
                leading  MI 4/0
                trailing 0.1 | 24.00 | 0.1 ov
                minimal  4/0 | 4
                expanded *MI 4/0 (0.1) | CSK | MI 4/0 after 0.1 overs
                lock     MI 4/0 after 0.1 overs | Partnership 4 (1)
                small    MI 4/0 | CSK | RR 24.00 (0.1 ov)
                """
        ),
        Scene(
            name: "between the innings",
            script: {
                t20 {
                    $0.begin(.first)
                    $0.fill(runs: 169, wickets: 9, balls: 120)
                    $0.reframe { $0.isClosed = true }
                    $0.status(.inningsBreak)
                }
            },
            expected: """
                state    break
                leading  MI 169/9
                trailing 20 | 8.45 | Break
                minimal  169/9
                expanded MI 169/9 (20) | CSK | Innings break: CSK need 170 from 120 balls
                lock     Innings break: CSK need 170 from 120 balls
                small    MI 169/9 | CSK | CSK need 170 (120)
                """
        ),
        Scene(
            name: "a chase",
            script: {
                t20 {
                    $0.begin(.first)
                    $0.fill(runs: 169, wickets: 9, balls: 120)
                    $0.begin(.second)
                    $0.fill(runs: 87, wickets: 6, balls: 75)
                }
            },
            expected: """
                state    live
                leading  CSK 87/6
                trailing 12.3 | 6.96 | 83 off 45
                minimal  87/6
                expanded MI 169/9 (20) | *CSK 87/6 (12.3) | CSK need 83 from 45 balls
                lock     CSK need 83 from 45 balls | Partnership 87 (69)
                small    MI 169/9 | CSK 87/6 | need 83 (45)
                """
        ),
        Scene(
            name: "the last over of a chase",
            script: {
                t20 {
                    $0.begin(.first)
                    $0.fill(runs: 169, wickets: 9, balls: 120)
                    $0.begin(.second)
                    $0.fill(runs: 160, wickets: 8, balls: 117)
                }
            },
            expected: """
                state    live
                leading  CSK 160/8
                trailing 19.3 | 8.21 | 10 off 3
                minimal  160/8
                expanded MI 169/9 (20) | *CSK 160/8 (19.3) | CSK need 10 from 3 balls
                lock     CSK need 10 from 3 balls | Partnership 160 (109)
                small    MI 169/9 | CSK 160/8 | need 10 (3)
                """
        ),
        Scene(
            name: "rain in a chase",
            script: {
                t20 {
                    $0.begin(.first)
                    $0.fill(runs: 169, wickets: 9, balls: 120)
                    $0.begin(.second)
                    $0.fill(runs: 87, wickets: 6, balls: 75)
                    $0.status(.rain, note: "Covers are on")
                }
            },
            expected: """
                state    delayed
                leading  CSK 87/6
                trailing 12.3 | 6.96 | Rain
                minimal  87/6
                expanded MI 169/9 (20) | *CSK 87/6 (12.3) | Rain: CSK need 83 from 45 balls
                lock     Rain: CSK need 83 from 45 balls | Covers are on
                small    MI 169/9 | CSK 87/6 | Rain, need 83 (45)
                """
        ),
        Scene(
            name: "won by runs",
            script: {
                t20 {
                    $0.begin(.first)
                    $0.fill(runs: 169, wickets: 9, balls: 120)
                    $0.begin(.second)
                    $0.fill(runs: 150, wickets: 7, balls: 120)
                    $0.status(.result)
                    $0.result(ProviderResult(kind: .runs(19), winner: .first, playersOfMatch: ["Rohit Sharma"]))
                }
            },
            expected: """
                state    finished
                leading  MI 169/9
                trailing won
                minimal  MI won
                expanded MI 169/9 (20) | CSK 150/7 (20) | MI won by 19 runs
                lock     Mumbai Indians won by 19 runs | Player of the match: Rohit Sharma
                small    MI 169/9 | CSK 150/7 | MI won by 19 runs
                """
        ),
        Scene(
            name: "no result",
            script: {
                t20 {
                    $0.begin(.first)
                    $0.bowl("1 4")
                    $0.status(.noResult)
                }
            },
            expected: """
                state    abandoned
                leading  MI 5/0
                trailing no result
                minimal  N/R
                expanded MI 5/0 (0.2) | CSK | No result
                lock     No result
                small    MI 5/0 | CSK | No result
                """
        ),
        Scene(
            name: "a super over being chased",
            script: {
                var script = MatchScript.t20(balls: 6)
                script.status(.live)
                for side in [Side.first, .second] {
                    script.begin(side)
                    script.bowl("1 1 1 1 1 1")
                }
                script.status(.superOver)
                script.begin(.second) { $0.superOver = 1 }
                script.bowl("4 4 . . 1 2")
                script.begin(.first) { $0.superOver = 1 }
                script.bowl("6 1")
                return script
            },
            expected: """
                state    superOver
                leading  MI 7/0
                trailing 0.2 | 21.00 | 5 off 4
                minimal  7/0
                expanded *MI 6/0 (1) | CSK 6/0 (1) | Super over: MI need 5 from 4 balls
                lock     Super over: MI need 5 from 4 balls | Super over: CSK 11/0, MI 7/0
                small    MI 6/0 | CSK 6/0 | SO need 5 (4)
                """
        ),
        Scene(
            name: "The Hundred",
            script: {
                var script = MatchScript.t20(balls: 100, format: .hundred)
                script.status(.live)
                script.begin(.first)
                script.fill(runs: 87, wickets: 6, balls: 63)
                return script
            },
            expected: """
                state    live
                leading  MI 87/6
                trailing 63 | 6.90 | 63 balls
                minimal  87/6
                expanded *MI 87/6 (63) | CSK | MI 87/6 after 63 balls
                lock     MI 87/6 after 63 balls | Partnership 87 (57)
                small    MI 87/6 | CSK | RR 6.90 (63 balls)
                """
        ),
    ]
}
