// Balls without wickets, extras and milestones are the easiest there are; what is measured has its share of all.

import MatchEngine

/// A Test of two elevens, ball by ball always the same.
enum IngestBenchMatch {
    /// Legal balls of an over.
    private static let ballsPerOver = 6
    /// Balls of an innings with its extras.
    ///
    /// None was ever so long; the shape with the shortest rows needs them for its megabyte.
    private static let ballsPerInnings = 2_700
    /// Runs off the bat, over and over again.
    private static let runs = [0, 1, 0, 4, 0, 2, 1, 0, 3, 0, 0, 6, 1]
    /// One ball in so many has an extra: primes, so that they wander through the overs.
    private static let extras: [(every: Int, kind: String)] = [
        (31, "wides"), (47, "noballs"), (37, "legbyes"), (53, "byes"),
    ]
    /// One ball in so many is a wicket.
    ///
    /// Nine fall in an innings, which stays open as long as its megabyte needs, and a batter has time for a hundred.
    private static let wicketEvery = 280
    private static let teams = ["Northern Rovers", "Southern Wanderers"]
    private static let elevens = [
        [
            "Arthur Appleby", "Barnaby Barrington", "Clement Cartwright", "Dudley Dunmore", "Edgar Ellington",
            "Felix Fairfax", "Gilbert Grantham", "Horace Hartley", "Isaac Inglewood", "Jasper Jessop", "Kenneth Kirkby",
        ],
        [
            "Cuthbert Carmichael", "Desmond Davenport", "Ernest Eastwood", "Frederick Fenton", "Godfrey Garrick",
            "Herbert Holloway", "Ignatius Irving", "Julian Jephcott", "Kingsley Kendrick", "Leopold Langley",
            "Montague Merrick",
        ],
    ]

    /// All balls that there are.
    static var balls: Int { LabLimits.benchInnings * ballsPerInnings }

    /// The match while so many balls are bowled, as a Cricsheet document.
    static func document(balls: Int) -> [UInt8] {
        let begun = max(1, (balls + ballsPerInnings - 1) / ballsPerInnings)
        let innings = (0..<begun).map { number in
            let isDeclared = number + 1 < begun
            return Self.innings(number, balls: min(ballsPerInnings, balls - number * ballsPerInnings), isDeclared)
        }
        let players = zip(teams, elevens).map { team, eleven in
            "\"\(team)\":[\(eleven.map { "\"\($0)\"" }.joined(separator: ","))]"
        }
        let text = """
            {"meta":{"data_version":"1.1.0","created":"2026-01-01","revision":1},
            "info":{"balls_per_over":6,"dates":["2026-09-21"],"gender":"male","match_type":"Test",
            "players":{\(players.joined(separator: ","))},
            "season":"2026","team_type":"international","teams":["\(teams[0])","\(teams[1])"],
            "venue":"Mill Lane"},"innings":[\(innings.joined(separator: ","))]}
            """
        return Array(text.utf8)
    }

    private static func innings(_ number: Int, balls: Int, _ isDeclared: Bool) -> String {
        var crease = Crease(batting: elevens[number % 2], bowling: elevens[(number + 1) % 2])
        var overs: [[String]] = []
        var legal = ballsPerOver
        for ball in 0..<balls {
            if legal == ballsPerOver {
                if !overs.isEmpty { crease.change() }
                overs.append([])
                legal = 0
            }
            let kind = BallKind(ball)
            overs[overs.count - 1].append(crease.delivery(kind, over: overs.count - 1))
            if kind.isLegal { legal += 1 }
        }
        let rows = overs.enumerated().map { "{\"over\":\($0),\"deliveries\":[\($1.joined(separator: ","))]}" }
        let end = isDeclared ? ",\"declared\":true" : ""
        return "{\"team\":\"\(teams[number % 2])\",\"overs\":[\(rows.joined(separator: ","))]\(end)}"
    }

    /// The events of a ball, by its number in the innings.
    private enum BallKind {
        case wicket(Int)
        case extra(String)
        case runs(Int)

        init(_ ball: Int) {
            if ball % wicketEvery == wicketEvery - 1 {
                self = .wicket(ball / wicketEvery)
            } else if let extra = extras.first(where: { ball % $0.every == $0.every - 1 }) {
                self = .extra(extra.kind)
            } else {
                self = .runs(IngestBenchMatch.runs[ball % IngestBenchMatch.runs.count])
            }
        }

        var isLegal: Bool { if case .extra(let word) = self { word.hasSuffix("byes") } else { true } }
    }

    /// The batters at the crease.
    private struct Crease {
        let batting: [String]
        let bowling: [String]
        private var striker = 0
        private var nonStriker = 1
        private var next = 2

        init(batting: [String], bowling: [String]) {
            self.batting = batting
            self.bowling = bowling
        }

        /// The next over begins.
        mutating func change() { swap(&striker, &nonStriker) }

        mutating func delivery(_ kind: BallKind, over: Int) -> String {
            // The last five bowl by turns.
            let bowler = bowling[6 + over % 5]
            let people =
                "\"batter\":\"\(batting[striker])\",\"non_striker\":\"\(batting[nonStriker])\",\"bowler\":\"\(bowler)\""
            switch kind {
            case .runs(let runs):
                if runs % 2 == 1 { change() }
                return "{\(people),\"runs\":{\"batter\":\(runs),\"extras\":0,\"total\":\(runs)}}"
            case .extra(let word):
                if word.hasSuffix("byes") { change() }
                return "{\(people),\"runs\":{\"batter\":0,\"extras\":1,\"total\":1},\"extras\":{\"\(word)\":1}}"
            case .wicket(let number):
                let how = [
                    #""kind":"bowled""#, #""kind":"caught","fielders":[{"name":"\#(bowling[0])"}]"#, #""kind":"lbw""#,
                ]
                let out = "{\"player_out\":\"\(batting[striker])\",\(how[number % how.count])}"
                if next < batting.count { (striker, next) = (next, next + 1) }
                return "{\(people),\"runs\":{\"batter\":0,\"extras\":0,\"total\":0},\"wickets\":[\(out)]}"
            }
        }
    }
}
