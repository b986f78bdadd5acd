// Writes matches for tests the way a scorer would: over by over, with marks.

@testable import MatchEngine

/// A match being written; balls are marks like `1 . 4 W wd2 nb5 lb2 b1`.
struct MatchScript {
    var info: MatchInfo
    private(set) var changes: [Change] = []
    private var facts = InningsInfo(ordinal: 0, batting: .first)
    private var number = 0
    private var legal = 0
    private var over = 0
    private(set) var striker = 1
    private(set) var nonStriker = 2
    private var next = 3
    var bowler = ""
    /// The provider's time of the next ball, in seconds since 1970; nil for a feed without times.
    var ballTime: Int64?

    init(_ info: MatchInfo) {
        self.info = info
        changes.append(.info(info))
    }

    /// A short-format match between the two sides of the examples.
    static func t20(balls: Int = 120, format: Format = .t20) -> MatchScript {
        MatchScript(.make(format, ballLimit: balls, ballsPerOver: format == .hundred ? 5 : 6))
    }

    static func test() -> MatchScript { MatchScript(.make(.test, first: "India", second: "Australia")) }

    // MARK: Frame

    mutating func begin(_ batting: Side, _ change: (inout InningsInfo) -> Void = { _ in }) {
        facts = InningsInfo(ordinal: facts.ordinal + 1, batting: batting)
        (number, legal, over, striker, nonStriker, next) = (0, 0, 0, 1, 2, 3)
        bowler = ""
        reframe(change)
    }

    /// Changes a fact of the innings in progress.
    mutating func reframe(_ change: (inout InningsInfo) -> Void) {
        change(&facts)
        changes.append(.innings(facts))
    }

    mutating func status(_ status: MatchStatus, note: String? = nil, since: Int64? = nil, day: Int? = nil) {
        changes.append(.status(StatusReport(status: status, note: note, since: since, day: day)))
    }

    mutating func result(_ result: ProviderResult) { changes.append(.result(result)) }

    // MARK: Balls

    /// Bowls marks parted by blanks; batters change ends and are replaced as in a real match.
    mutating func bowl(_ marks: String, by bowler: String? = nil) {
        for mark in marks.split(separator: " ") { bowl(mark: String(mark), by: bowler) }
    }

    /// Bowls a number of dot balls.
    mutating func dots(_ count: Int) { for _ in 0..<count { bowl(mark: ".", by: nil) } }

    /// Bowls an innings of given length: wickets early, then the runs in singles and fours.
    mutating func fill(runs: Int, wickets: Int, balls: Int) {
        let scoring = balls - wickets
        let fours = max(0, (runs - scoring + 2) / 3)
        var left = runs
        for index in 0..<balls {
            if index < wickets {
                bowl(mark: "W", by: nil)
            } else {
                let gain = index - wickets < fours ? min(4, left) : min(1, left)
                left -= gain
                bowl(mark: gain == 0 ? "." : String(gain), by: nil)
            }
        }
    }

    private mutating func bowl(mark: String, by bowler: String?) {
        let (runs, isLegal) = Self.read(mark)
        let out = batter(striker)
        let dismissals = mark == "W" ? [Dismissal(kind: .bowled, out: out)] : []
        add(runs: runs, isLegal: isLegal, dismissals: dismissals, by: bowler)
        if mark == "W" {
            striker = next
            next += 1
        }
        let last = deliveries.last ?? Self.nothing
        let ran = BallRuns(last.runs, isAllRun: last.isAllRun).ran
        if !ran.isMultiple(of: 2) { swap(&striker, &nonStriker) }
        endOverIfDone()
    }

    /// Bowls one ball with its wickets given; `striker` and `nonStriker` are then up to the caller.
    mutating func add(
        runs: DeliveryRuns = DeliveryRuns(),
        isLegal: Bool = true,
        isAllRun: Bool = false,
        dismissals: [Dismissal] = [],
        striker: Player? = nil,
        nonStriker: Player? = nil,
        over: Int? = nil,
        by bowler: String? = nil
    ) {
        number += 1
        let name = bowler ?? (self.bowler.isEmpty ? "Bowler \(self.over % 2 + 1)" : self.bowler)
        let delivery = Delivery(
            key: DeliveryKey("\(facts.ordinal).\(number)"),
            order: OrderKey(Int64(facts.ordinal) * 100_000 + Int64(number)),
            innings: facts.ordinal,
            over: over ?? self.over,
            striker: striker ?? batter(self.striker),
            nonStriker: nonStriker ?? batter(self.nonStriker),
            bowler: .named(name),
            runs: runs,
            isLegal: isLegal,
            isAllRun: isAllRun,
            dismissals: dismissals,
            occurredAt: ballTime
        )
        ballTime = ballTime.map { $0 + 35 }
        if isLegal { legal += 1 }
        changes.append(.inserted(delivery))
    }

    /// Ends the current over, as an umpire may do early.
    mutating func callOver() {
        over += 1
        legal = 0
        swap(&striker, &nonStriker)
    }

    mutating func endOverIfDone() { if legal == info.ballsPerOver { callOver() } }

    func batter(_ number: Int) -> Player { .named("\(facts.batting == .first ? "Home" : "Away") Batter\(number)") }

    private static let nothing = Delivery(
        key: DeliveryKey(""),
        order: OrderKey(0),
        innings: 0,
        over: 0,
        striker: .named(""),
        nonStriker: .named(""),
        bowler: .named("")
    )

    private static func read(_ mark: String) -> (DeliveryRuns, Bool) {
        let number = Int(mark.filter(\.isNumber))
        let word = mark.filter { !$0.isNumber }
        return switch word {
        case ".", "W": (DeliveryRuns(), true)
        case "wd": (DeliveryRuns(wides: number ?? 1), false)
        case "nb": (DeliveryRuns(bat: (number ?? 1) - 1, noBalls: 1), false)
        case "b": (DeliveryRuns(byes: number ?? 1), true)
        case "lb": (DeliveryRuns(legByes: number ?? 1), true)
        case "p": (DeliveryRuns(penalty: number ?? 5), true)
        default: (DeliveryRuns(bat: number ?? 0), true)
        }
    }

    // MARK: Outcome

    var deliveries: [Delivery] {
        changes.compactMap { if case .inserted(let delivery) = $0 { delivery } else { nil } }
    }

    var replica: MatchReplica {
        var replica = MatchReplica()
        replica.apply(changes)
        return replica
    }

    var state: MatchState { replica.state }
}

extension Player {
    static func named(_ name: String) -> Player { Player(id: name, name: name) }
}

extension MatchInfo {
    static func make(
        _ format: Format,
        ballLimit: Int? = nil,
        ballsPerOver: Int = 6,
        first: String = "Mumbai Indians",
        second: String = "Chennai Super Kings"
    ) -> MatchInfo {
        MatchInfo(
            format: format,
            competition: "Premier League",
            ballsPerOver: ballsPerOver,
            ballLimit: ballLimit,
            teams: [TeamInfo(id: "1", name: first), TeamInfo(id: "2", name: second)],
            venue: "Wankhede Stadium"
        )
    }
}
