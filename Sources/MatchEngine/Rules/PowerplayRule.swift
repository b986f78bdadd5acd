// The length of the first powerplay, also in an innings shortened by rain (cricket.md C.6).

/// The table by which a competition sets its first powerplay.
enum PowerplayRule: Sendable, Hashable {
    case none
    /// Ten overs of fifty; one fifth of a shorter innings (ICC ODI playing conditions).
    case fifty
    /// Six overs of twenty; whole overs by table in a shorter innings (ICC T20I playing conditions until June 2025).
    case wholeOvers
    /// Six overs of twenty; three tenths of the balls of a shorter innings (ICC T20I playing conditions since July
    /// 2025).
    case threeTenths
    /// Four overs; the batting side takes two more later, which only a feed states (Big Bash League).
    case fourAndSurge
    /// A quarter of the balls (The Hundred).
    case quarter

    /// Length of the powerplay of an innings in legal balls; nil where there is none, or the innings is too short for
    /// the table.
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
