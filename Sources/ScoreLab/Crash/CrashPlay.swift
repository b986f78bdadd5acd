// The match of a crash test has a wicket for each seed, so that alerts at priority 10 are in the fan-out.

import MatchEngine

/// The balls of a crash test, as a value: a Test, since the two innings of a T20 have too few wickets.
///
/// Each striker is run out, which gives no bowler figures that are a moment too. An innings has 19 or 20 runs, so that
/// the match is open until the last wicket of the fourth one.
struct CrashPlay: Sendable {
    private static let wicketsOfInnings = 10
    private static let ballsOfOver = 6

    /// The match so far.
    private(set) var replica = MatchReplica()
    private var wickets = 0
    private var balls = 0
    /// The innings that has begun, and its balls.
    private var innings = (number: 1, balls: 0)

    /// The facts of the match, which is live from now on.
    mutating func begin() -> [Change] {
        let teams = [
            TeamInfo(id: "MI", name: "Mumbai Indians", abbreviation: "MI"),
            TeamInfo(id: "CSK", name: "Chennai Super Kings", abbreviation: "CSK"),
        ]
        let changes: [Change] = [
            .info(MatchInfo(format: .test, competition: "Rehearsal", teams: teams)),
            .innings(InningsInfo(ordinal: 1, batting: .first)), .status(StatusReport(status: .live)),
        ]
        replica.apply(changes)
        return changes
    }

    /// A ball for a run, without an alert.
    mutating func ball() -> [Change] { bowl(isWicket: false) }

    /// A wicket, and the moments with an alert that it causes, in match order.
    mutating func wicket() -> (changes: [Change], moments: [Moment]) {
        let known = Set(replica.state.moments.map(\.key))
        let changes = bowl(isWicket: true)
        wickets += 1
        return (changes, replica.state.moments.filter { $0.isAlert && !known.contains($0.key) })
    }

    private mutating func bowl(isWicket: Bool) -> [Change] {
        var changes: [Change] = []
        let number = wickets / Self.wicketsOfInnings + 1
        if number > innings.number {
            innings = (number, 0)
            let side: Side = number.isMultiple(of: 2) ? .second : .first
            changes.append(.innings(InningsInfo(ordinal: number, batting: side)))
        }
        let striker = Player(id: "S\(wickets)", name: "Striker \(wickets + 1)")
        let over = innings.balls / Self.ballsOfOver
        let ball = Delivery(
            key: DeliveryKey("ball-\(balls)"),
            order: OrderKey(Int64(balls) * 100),
            innings: number,
            over: over,
            striker: striker,
            nonStriker: Player(id: "N\(number)", name: "Partner"),
            bowler: Player(id: "B\(number)-\(over % 2)", name: "Bowler"),
            runs: DeliveryRuns(bat: isWicket ? 0 : 1),
            dismissals: isWicket ? [Dismissal(kind: .runOut, out: striker)] : []
        )
        balls += 1
        innings.balls += 1
        changes.append(.inserted(ball))
        replica.apply(changes)
        return changes
    }
}
