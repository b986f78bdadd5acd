// The tests of publication, push and HTTP use one match, whose states are described here once.

public import MatchEngine
public import ScoreTypes

/// The match of the tests, and its states.
public enum Samples {
    /// The match.
    public static let match = MatchID(unchecked: "ipl-final")
    /// A match that is in the journal only.
    public static let finished = MatchID(unchecked: "old-final")
    /// A result for `finished`.
    public static let won = ProviderResult(kind: .runs(12), winner: .first)

    /// The frame of the match.
    ///
    /// - Parameter first: The name of the first team.
    /// - Returns: A T20 match of two teams.
    public static func info(_ first: String = "Mumbai Indians") -> MatchInfo {
        MatchInfo(
            format: .t20,
            competition: "IPL",
            ballLimit: 120,
            teams: [
                TeamInfo(id: "mi", name: first, abbreviation: "MI"),
                TeamInfo(id: "csk", name: "Chennai Super Kings", abbreviation: "CSK"),
            ],
            startsAt: 1_772_366_400
        )
    }

    /// The folded match after some balls with one run each.
    ///
    /// - Parameters:
    ///   - balls: The number of balls.
    ///   - status: The status that the feed reports.
    ///   - result: The result that the feed reports; nil for none.
    ///   - first: The name of the first team.
    /// - Returns: The match.
    public static func replica(
        balls: Int,
        status: MatchStatus = .live,
        result: ProviderResult? = nil,
        first: String = "Mumbai Indians"
    ) -> MatchReplica {
        var replica = MatchReplica()
        var changes: [Change] = [.info(info(first)), .status(StatusReport(status: status))]
        if balls > 0 { changes.append(.innings(InningsInfo(ordinal: 1, batting: .first))) }
        changes += deliveries(balls).map { .inserted($0) }
        if let result { changes.append(.result(result)) }
        replica.apply(changes)
        return replica
    }

    /// Balls of the first innings with one run each.
    ///
    /// - Parameter count: The number of balls.
    /// - Returns: The deliveries in order.
    public static func deliveries(_ count: Int) -> [Delivery] {
        (0..<count).map { index in
            Delivery(
                key: DeliveryKey("1.\(index)"),
                order: OrderKey(Int64(index)),
                innings: 1,
                over: index / 6,
                striker: Player(id: "rohit", name: "Rohit Sharma"),
                nonStriker: Player(id: "ishan", name: "Ishan Kishan"),
                bowler: Player(id: "chahar", name: "Deepak Chahar"),
                runs: DeliveryRuns(bat: 1)
            )
        }
    }
}
