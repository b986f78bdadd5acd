// One match in one environment of a lane: its fan-out, and what its requests look like on the wire.

internal import HTTP2
internal import ScoreTypes

/// Confined to the loop.
final class MatchLane {
    let match: MatchID
    var fanout: Fanout
    /// Headers of the requests of this launch; nil until the next request needs them.
    var headers: Headers?
    var hasSentFirst = false
    var reportedSuperseded = 0
    var reportedMissed = 0

    struct Headers {
        let launch: Launch
        let tokenVersion: Int
        let plain: HeaderTemplate
        let alerted: HeaderTemplate
    }

    init(match: MatchID, environment: PushEnvironment) {
        self.match = match
        fanout = Fanout(match: match, environment: environment)
    }

    /// An alert is on its way, or the end: such a match goes first.
    var isUrgent: Bool { fanout.launch.map { $0.riding != nil || $0.publication.isFinal } ?? false }
}
