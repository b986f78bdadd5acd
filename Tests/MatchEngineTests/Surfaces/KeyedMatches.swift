// Matches that produce every text for which an app has a key.

@testable import MatchEngine

enum KeyedMatches {
    static let all = wickets + bowling + batting + ends + statuses + results

    private static func make(_ script: MatchScript, _ change: (inout MatchScript) -> Void) -> MatchScript {
        var script = script
        script.status(.live)
        change(&script)
        return script
    }

    private static let wickets = [
        make(.test()) {
            $0.begin(.first)
            $0.bowl("W . W 4 W", by: "One")
            $0.reframe { $0.isDeclared = true }
            $0.begin(.second)
            $0.reframe { $0.isForfeited = true }
            $0.begin(.first)
            $0.bowl("W W", by: "Two")
        }
    ]

    private static let bowling = [
        make(.test()) {
            $0.begin(.first)
            $0.bowl("W W W W W W W . . W W W", by: "One")
            $0.begin(.second)
            $0.bowl("1")
        }
    ]

    private static let batting = [
        make(.test()) {
            $0.begin(.first)
            $0.bowl(String(repeating: "6 ", count: 150))
        },
        make(.test()) {
            $0.begin(.first)
            $0.bowl("wd " + String(repeating: "4 ", count: 30))
        },
    ]

    private static let ends = [
        make(.t20(balls: 12)) {
            $0.begin(.first)
            $0.fill(runs: 12, wickets: 0, balls: 12)
            $0.begin(.second)
            $0.bowl("1")
        },
        make(.t20(balls: 100, format: .hundred)) {
            $0.begin(.first)
            $0.fill(runs: 160, wickets: 3, balls: 100)
            $0.begin(.second)
            $0.bowl("1")
        },
        make(.t20(balls: 6)) {
            $0.begin(.first)
            $0.bowl("1 1 1 1 1 1")
            $0.begin(.second)
            $0.bowl("1 1 1 1 1 1")
            $0.status(.superOver)
            for pair in 1...2 {
                $0.begin(.second) { $0.superOver = pair }
                $0.bowl("1 1 1 1 1 1")
                $0.begin(.first) { $0.superOver = pair }
                $0.bowl("1 1 1 1 1 1")
            }
        },
    ]

    private static let statuses: [MatchScript] = {
        let tosses = [Toss.Decision.bat, .field, .uncontested].map { decision in
            var info = MatchInfo.make(.t20, ballLimit: 120)
            info.toss = Toss(winner: .second, decision: decision)
            return MatchScript(info)
        }
        let stops: [MatchStatus] = [
            .rain, .badLight, .wetOutfield, .floodlight, .crowd, .pitch, .suspended, .startDelayed, .tossDelayed,
        ]
        return tosses
            + stops.map { stop in
                make(.t20()) {
                    $0.begin(.first)
                    $0.bowl("1")
                    $0.status(stop)
                    $0.status(.live)
                }
            }
    }()

    // MARK: Results

    private static let results: [MatchScript] = {
        let kinds: [ProviderResult] = [
            .init(kind: .runs(1), winner: .first), .init(kind: .runs(10), winner: .first),
            .init(kind: .runs(1), winner: .first, method: "DLS"), .init(kind: .runs(10), winner: .first, method: "VJD"),
            .init(kind: .wickets(1), winner: .second), .init(kind: .wickets(7), winner: .second),
            .init(kind: .wickets(1), winner: .second, method: "DLS"),
            .init(kind: .wickets(7), winner: .second, method: "DLS"),
            .init(kind: .innings(1), winner: .first), .init(kind: .innings(12), winner: .first),
            .init(kind: .fewerWickets, winner: .first), .init(kind: .won, winner: .first), .init(kind: .won),
            .init(kind: .awarded), .init(kind: .awarded, winner: .first), .init(kind: .tie), .init(kind: .draw),
            .init(kind: .tie, tieBreakWinner: .second, tieBreak: "superOver"),
            .init(kind: .tie, tieBreakWinner: .second, tieBreak: "bowlOut"),
            .init(kind: .tie, tieBreakWinner: .first, tieBreak: "boundaryCount"),
            .init(kind: .tie, method: "DLS"), .init(kind: .noResult),
        ]
        return kinds.map(ended) + withoutBalls + chases
    }()

    private static func ended(_ result: ProviderResult) -> MatchScript {
        make(.t20(balls: 12)) {
            $0.begin(.first)
            $0.bowl("6 6")
            $0.status(result.kind == .noResult ? .noResult : .result)
            $0.result(result)
        }
    }

    private static let withoutBalls =
        [MatchStatus.abandoned, .cancelled, .postponed].map { status in make(.t20()) { $0.status(status) } }
        + [
            make(.t20()) {
                $0.begin(.first)
                $0.bowl("1")
                $0.status(.abandoned)
            }
        ]

    /// Chases won by one and by ten wickets, with one ball and with more balls remaining, with and without a method.
    private static let chases: [MatchScript] = {
        let balls = ["W W W W W W W W W . 2", "W W W W W W W W W 2", ". . . . . . . . . . 2", "2"]
        let methods: [String?] = [nil, "DLS"]
        return balls.flatMap { marks in
            methods.map { method in
                make(.t20(balls: 12)) {
                    $0.begin(.first)
                    $0.bowl("1")
                    $0.reframe { $0.isClosed = true }
                    $0.begin(.second) { $0.target = Target(runs: 2, balls: 12, method: method) }
                    $0.bowl(marks)
                    guard let method else { return }
                    $0.result(ProviderResult(kind: .won, winner: .second, method: method))
                }
            }
        }
    }()
}
