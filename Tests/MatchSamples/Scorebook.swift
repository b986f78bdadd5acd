// A small match that tests bowl ball by ball, and correct as feeds do.

public import MatchEngine
public import ScoreTypes

/// Snapshots of a T20 between Mumbai Indians and Chennai Super Kings, as of a feed.
public struct Scorebook: Sendable {
    /// The match.
    public static let match = MatchID(unchecked: "mi-csk")
    /// The feed.
    public static let feed = FeedID(unchecked: "test")

    /// The frame.
    public var info: MatchInfo
    /// The innings that have begun, in order.
    public var innings: [InningsInfo] = []
    /// The balls, in order.
    public var deliveries: [Delivery] = []
    /// The status that the feed reports.
    public var status = StatusReport(status: .scheduled)
    /// The result that the feed reports; nil for none.
    public var result: ProviderResult?

    /// A match before its start.
    public init(format: Format = .t20) {
        info = MatchInfo(
            format: format,
            competition: "Test League",
            ballLimit: format.isLimitedOvers ? 120 : nil,
            teams: [
                TeamInfo(id: "MI", name: "Mumbai Indians", abbreviation: "MI"),
                TeamInfo(id: "CSK", name: "Chennai Super Kings", abbreviation: "CSK"),
            ],
            startsAt: 1_700_000_000
        )
    }

    /// A match that was known before its first ball and has begun.
    public static var begun: Scorebook {
        var book = Scorebook()
        book.begin(innings: 1, batting: .first)
        return book
    }

    /// A reply with the current state.
    public var snapshot: MatchSnapshot {
        MatchSnapshot(info: info, innings: innings, deliveries: deliveries, status: status, result: result)
    }

    /// Begins an innings, with its ordinal from 1.
    public mutating func begin(innings ordinal: Int, batting: Side) {
        innings.append(InningsInfo(ordinal: ordinal, batting: batting))
        status = StatusReport(status: .live)
    }

    /// Bowls one ball; returns its number, from 0.
    @discardableResult
    public mutating func ball(_ bat: Int = 0, striker: String = "Rohit Sharma", out: [String] = []) -> Int {
        let number = deliveries.count
        let ordinal = innings.last?.ordinal ?? 1
        let inInnings = deliveries.count { $0.innings == ordinal }
        deliveries.append(
            Delivery(
                key: DeliveryKey("ball-\(number)"),
                order: OrderKey(Int64(number) * 100),
                innings: ordinal,
                over: inInnings / 6,
                striker: Self.player(striker),
                nonStriker: Self.player("Ishan Kishan"),
                bowler: Self.player(inInnings / 6 % 2 == 0 ? "Deepak Chahar" : "Ravindra Jadeja"),
                runs: DeliveryRuns(bat: bat),
                dismissals: out.map(Self.dismissal)
            )
        )
        return number
    }

    /// Changes a ball that was bowled.
    public mutating func amend(_ number: Int, _ change: (inout Delivery) -> Void) {
        change(&deliveries[number])
    }

    /// Ends the match with a win by ten runs.
    public mutating func end(winner: Side) {
        status = StatusReport(status: .result)
        result = ProviderResult(kind: .runs(10), winner: winner)
    }

    /// A batter, bowled.
    public static func dismissal(_ name: String) -> Dismissal { Dismissal(kind: .bowled, out: player(name)) }

    /// A player whose id is the name.
    public static func player(_ name: String) -> Player { Player(id: name, name: name) }
}
