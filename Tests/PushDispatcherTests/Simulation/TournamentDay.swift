// The publications of a day of cricket: parallel matches, bursts, corrections, breaks.

import ScoreTypes

@testable import PushDispatcher

/// A publication of the day, and its time since the beginning.
struct PlannedPublication {
    let at: Duration
    let publication: PushPublication
}

/// The publications of matches whose feeds are not simulated, drawn from a seed.
enum TournamentDay {
    /// Length of the day.
    static let length: Duration = .seconds(24 * 3600)
    /// Time between the end of the last match and of the day, for the last repetition of its end.
    static let quiet: Duration = .seconds(2 * 3600)

    static func draw(_ match: MatchID, in world: SimulatedWorld) -> [PlannedPublication] {
        var plan: [PlannedPublication] = []
        func add(at: Duration, _ alert: String?, _ cause: PushCause, isFinal: Bool = false) {
            let last = plan.last?.publication
            let (number, now) = ((last?.revision.number ?? 0) + 1, world.wall(at: at))
            let publication = PushPublication(
                match: match,
                revision: Revision(epoch: Fixture.epoch, number: number),
                apnsTimestamp: max((last?.apnsTimestamp ?? 0) + 1, now.seconds),
                contentState: Fixture.contentState(number),
                stateHash: UInt64(number),
                alertKey: alert,
                alert: alert.map { PushAlert(title: "Wicket!", body: $0) },
                priority: alert == nil ? .five : .ten,
                isFinal: isFinal,
                committedAt: now,
                cause: cause
            )
            plan.append(PlannedPublication(at: at, publication: publication))
        }
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
            add(at: at, alert, cause)
            switch world.number(0...19) {
            // A burst, a break, rain, or the time of a few balls.
            case 0: at += world.wait(200...3_000)
            case 1: at += world.wait(600_000...2_400_000)
            default: at += world.wait(30_000...300_000)
            }
        }
        add(at: end, "\(match) result", .correction, isFinal: true)
        return plan
    }
}
