// How long the first powerplay lasts, also in an innings that rain has cut (cricket.md C.6).

/// The table by which a competition sets its first powerplay.
enum PowerplayRule: Sendable, Hashable {
    case none
    /// Ten overs of fifty; one fifth of a shorter innings.
    case fifty
    /// Six overs of twenty; of a shorter innings whole overs.
    case wholeOvers
    /// Six overs of twenty; of a shorter innings three tenths of its balls, rounded to a ball.
    case threeTenths
    /// Four overs, and two more that the batting side chooses later, which only a feed can tell.
    case fourAndSurge
    /// A quarter of the balls.
    case quarter

    /// Legal balls of the phase; nil where there is none, or where the innings is too short for the table.
    func balls(ofInnings limit: Int, ballsPerOver: Int) -> Int? {
        guard limit > 0, ballsPerOver > 0 else { return nil }
        let overs = limit / ballsPerOver
        switch self {
        case .none: return nil
        case .fifty: return Self.overs(overs, in: Self.fiftyTable).map { $0 * ballsPerOver }
        case .wholeOvers: return Self.overs(overs, in: Self.wholeTable).map { $0 * ballsPerOver }
        case .threeTenths: return (limit * 3 + 5) / 10
        case .fourAndSurge: return min(4, max(1, overs / 5)) * ballsPerOver
        case .quarter: return (limit + 2) / 4
        }
    }

    private static func overs(_ overs: Int, in table: [(from: Int, powerplay: Int)]) -> Int? {
        table.last { $0.from <= overs }?.powerplay
    }

    private static let fiftyTable = [(20, 4), (23, 5), (27, 6), (32, 7), (37, 8), (42, 9), (47, 10)]
    private static let wholeTable = [(5, 2), (9, 3), (12, 4), (15, 5), (19, 6)]
}
