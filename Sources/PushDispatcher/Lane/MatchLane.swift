// One match in one environment of a lane: its fan-out, and what its requests look like on the wire.

internal import HTTP2
internal import ScoreTypes

/// Confined to the loop.
final class MatchLane {
    let match: MatchID
    /// Asked and told for every push; it calls nothing that comes back here.
    @exclusivity(unchecked) var fanout: Fanout
    /// Headers of the requests of this launch; nil until the next request needs them.
    var headers: Headers?
    var hasSentFirst = false
    var reportedSuperseded = 0
    var reportedExpired = 0
    var reportedMissed = 0

    /// An object, so that a request takes hold of one thing instead of four.
    final class Headers {
        let encoded: EncodedPublication
        let tokenVersion: Int
        let plain: HeaderTemplate
        let alerted: HeaderTemplate
        /// The same for tokens that APNs throttles.
        let demoted: (plain: HeaderTemplate, alerted: HeaderTemplate)

        init(
            encoded: EncodedPublication,
            tokenVersion: Int,
            plain: HeaderTemplate,
            alerted: HeaderTemplate,
            demoted: (plain: HeaderTemplate, alerted: HeaderTemplate)
        ) {
            self.encoded = encoded
            self.tokenVersion = tokenVersion
            self.plain = plain
            self.alerted = alerted
            self.demoted = demoted
        }

        func template(for send: FanoutSend) -> HeaderTemplate {
            if send.isDemoted { return send.hasAlert ? demoted.alerted : demoted.plain }
            return send.hasAlert ? alerted : plain
        }
    }

    init(match: MatchID, environment: PushEnvironment) {
        self.match = match
        fanout = Fanout(match: match, environment: environment)
    }

    /// An alert is on its way, or the end: such a match goes first.
    var isUrgent: Bool { fanout.isUrgent }
}
