// Situations of a match of two innings a side, and their texts in the six presentations.

@testable import MatchEngine

extension Gallery {
    static let long: [Scene] = [
        Scene(
            name: "the first morning",
            script: {
                test {
                    $0.begin(.first); $0.bowl("1 . . 4 . .")
                }
            },
            expected: """
                state    live
                leading  IND 5/0
                trailing 1 | 5.00 | 1 ov
                minimal  5/0
                expanded *IND 5/0 (1) | AUS | IND 5/0 after 1 over
                lock     IND 5/0 after 1 over | Partnership 5 (6)
                small    IND 5/0 | AUS | RR 5.00 (1 ov)
                """
        ),
        Scene(
            name: "behind at tea",
            script: {
                test {
                    $0.begin(.first)
                    $0.fill(runs: 294, wickets: 10, balls: 500)
                    $0.begin(.second)
                    $0.fill(runs: 120, wickets: 3, balls: 200)
                    $0.status(.tea, day: 2)
                }
            },
            expected: """
                state    break
                leading  AUS 120/3
                trailing 33.2 | 3.60 | Tea
                minimal  120/3
                expanded IND 294 | *AUS 120/3 (33.2) | Day 2, tea: AUS trail by 174
                lock     Day 2, tea: AUS trail by 174 | Partnership 120 (197)
                small    IND 294 | AUS 120/3 | trail by 174
                """
        ),
        Scene(
            name: "stumps after a follow-on",
            script: {
                test {
                    $0.begin(.first)
                    $0.fill(runs: 450, wickets: 10, balls: 700)
                    $0.begin(.second)
                    $0.fill(runs: 200, wickets: 10, balls: 400)
                    $0.begin(.second)
                    $0.fill(runs: 87, wickets: 2, balls: 150)
                    $0.status(.stumps, day: 3)
                }
            },
            expected: """
                state    stumps
                leading  AUS 200 & 87/2
                trailing 25 | 3.48 | Stumps
                minimal  87/2
                expanded IND 450 | *AUS 200 & 87/2 (f/o) (25) | Day 3, stumps: AUS trail by 163
                lock     Day 3, stumps: AUS trail by 163 | Partnership 87 (148)
                small    IND 450 | AUS 200 & 87/2 | trail by 163
                """
        ),
        Scene(
            name: "the last chase",
            script: {
                test {
                    $0.begin(.first)
                    $0.fill(runs: 300, wickets: 10, balls: 500)
                    $0.begin(.second)
                    $0.fill(runs: 250, wickets: 10, balls: 400)
                    $0.begin(.first)
                    $0.fill(runs: 160, wickets: 10, balls: 300)
                    $0.begin(.second)
                    $0.fill(runs: 57, wickets: 4, balls: 120)
                    $0.status(.live, day: 5)
                }
            },
            expected: """
                state    live
                leading  AUS 250 & 57/4
                trailing 20 | 2.85 | need 154
                minimal  57/4
                expanded IND 300 & 160 | *AUS 250 & 57/4 (20) | Day 5: AUS need 154 to win
                lock     Day 5: AUS need 154 to win | Partnership 57 (116)
                small    IND 300 & 160 | AUS 250 & 57/4 | need 154
                """
        ),
        Scene(
            name: "drawn",
            script: {
                test {
                    $0.begin(.first)
                    $0.fill(runs: 300, wickets: 10, balls: 500)
                    $0.begin(.second)
                    $0.fill(runs: 250, wickets: 5, balls: 400)
                    $0.status(.drawn)
                }
            },
            expected: """
                state    finished
                leading  AUS 250/5
                trailing drawn
                minimal  drawn
                expanded IND 300 | AUS 250/5 | Match drawn
                lock     Match drawn
                small    IND 300 | AUS 250/5 | Match drawn
                """
        ),
        Scene(
            name: "won by an innings",
            script: {
                test {
                    $0.begin(.first)
                    $0.fill(runs: 450, wickets: 10, balls: 700)
                    for _ in 0..<2 {
                        $0.begin(.second)
                        $0.fill(runs: 150, wickets: 10, balls: 300)
                    }
                    $0.status(.result)
                }
            },
            expected: """
                state    finished
                leading  IND 450
                trailing won
                minimal  IND won
                expanded IND 450 | AUS 150 & 150 (f/o) | IND won by an innings and 150 runs
                lock     India won by an innings and 150 runs
                small    IND 450 | AUS 150 & 150 | won by inns & 150 runs
                """
        ),
    ]
}
