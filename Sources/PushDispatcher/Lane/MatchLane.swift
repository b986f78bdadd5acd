// One match in one environment of a lane: its fan-out and the headers of its requests.

internal import HTTP2
internal import ScoreTypes

/// One match in one environment of a lane; confined to the loop.
final class MatchLane {
    let match: MatchID
    /// Accessed for every push; it calls nothing that accesses it again.
    @exclusivity(unchecked) var fanout: Fanout
    /// Headers of the current publication's requests; nil until a request needs them.
    var headers: Headers?
    var hasSentFirst = false
    /// The publication that already has an accepted request as a sample.
    var sampledSeed: RequestSeed?
    var reportedSuperseded = 0
    var reportedExpired = 0
    var reportedMissed = 0

    /// An object, so that a request retains one reference instead of four.
    final class Headers {
        let encoded: EncodedPublication
        let tokenVersion: Int
        /// When the time of expiration is too near for further requests, in the time of the lane.
        let renewedAt: Duration
        let plain: HeaderTemplate
        let alerted: HeaderTemplate
        /// The same for throttled tokens.
        let demoted: (plain: HeaderTemplate, alerted: HeaderTemplate)

        init(
            _ encoded: EncodedPublication,
            tokenVersion: Int,
            renewedAt: Duration,
            template: (_ withAlert: Bool, PushPriority) -> HeaderTemplate
        ) {
            self.encoded = encoded
            self.tokenVersion = tokenVersion
            self.renewedAt = renewedAt
            plain = template(false, encoded.priority(withAlert: false))
            alerted = template(true, encoded.priority(withAlert: true))
            demoted = (template(false, .five), template(true, .five))
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
}
