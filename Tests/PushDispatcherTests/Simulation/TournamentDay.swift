// The publications of a day of cricket: parallel matches, bursts, corrections, breaks.

import ScoreTypes

@testable import PushDispatcher

/// One publication of the day, without its numbers.
struct PlannedPublication {
    let at: Duration
    let match: MatchID
    let alert: String?
    let cause: PushCause
    let isFinal: Bool
}

/// The publications of a day by time, drawn from a seed.
enum TournamentDay {
    /// Length of the day.
    static let length: Duration = .seconds(24 * 3600)
    /// Time between the end of the last match and of the day, for the last repetition of its end.
    static let quiet: Duration = .seconds(2 * 3600)

    static func draw(_ world: SimulatedWorld, matches: [MatchID]) -> [PlannedPublication] {
        var plan: [PlannedPublication] = []
        for match in matches { plan += draw(world, match) }
        return plan.sorted { ($0.at, $0.match) < ($1.at, $1.match) }
    }

    private static func draw(_ world: SimulatedWorld, _ match: MatchID) -> [PlannedPublication] {
        var plan: [PlannedPublication] = []
        var at = world.wait(0...Int((Self.length - Self.quiet).milliseconds) / 2)
        let end = min(at + .seconds(world.number(3...8) * 3600), Self.length - Self.quiet)
        var wickets = 0
        while at < end {
            var alert: String?
            var cause = PushCause.ordinary
            switch world.number(0...99) {
            case 0..<6:
                wickets += 1
                (alert, cause) = ("\(match) wicket \(wickets)", .correction)
            case 6..<9: cause = .correction
            case 9: cause = .keepAlive
            default: break
            }
            plan.append(PlannedPublication(at: at, match: match, alert: alert, cause: cause, isFinal: false))
            switch world.number(0...19) {
            // A burst, a break, rain, or the time of a few balls.
            case 0: at += world.wait(200...3_000)
            case 1: at += world.wait(600_000...2_400_000)
            default: at += world.wait(30_000...300_000)
            }
        }
        plan.append(
            PlannedPublication(at: end, match: match, alert: "\(match) result", cause: .correction, isFinal: true)
        )
        return plan
    }
}
