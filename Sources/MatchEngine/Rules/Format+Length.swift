// The lengths that a format fixes, each stated once; adapters use them where a feed leaves a length out.

extension Format {
    /// Whether an innings has a limit of balls.
    public var isLimitedOvers: Bool { oversPerInnings != nil }

    /// Legal balls of an over: six (Law 17.1), five in The Hundred, whose sets of five count as overs (cricket.md C.3).
    public var ballsPerOver: Int { self == .hundred ? 5 : RuleSet.usualBallsPerOver }

    /// Overs of an innings at full length; nil in the formats that only time limits (cricket.md C.14).
    public var oversPerInnings: Int? {
        switch self {
        case .test, .firstClass: nil
        case .odi, .listA: 50
        case .t20i, .t20, .hundred: 20
        case .t10: 10
        }
    }

    /// Legal balls of an innings at full length: 300, 120, 100 or 60; nil in the formats that only time limits.
    public var ballLimit: Int? { oversPerInnings.map { $0 * ballsPerOver } }

    /// Innings of both sides together, super overs not counted: two, or four where each side bats twice.
    public var inningsPerMatch: Int { isLimitedOvers ? 2 : 4 }

    /// Days that a match of the format is scheduled for at least: five for a Test, four for other first-class cricket.
    var days: Int {
        switch self {
        case .test: 5
        case .firstClass: 4
        case .odi, .listA, .t20i, .t20, .t10, .hundred: 1
        }
    }
}
