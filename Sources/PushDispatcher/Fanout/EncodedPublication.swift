// A publication on its way out: what the pacing decided, with the bodies encoded once for everybody.

internal import HTTP2
internal import ScoreTypes

/// One launched publication; the same object serves every lane and channel.
final class EncodedPublication: Sendable {
    let publication: PushPublication
    let plan: PublicationPlan
    /// The bodies for each variant of the content state; one that is not there falls back to the first.
    private let bodies: [Bodies]
    /// Distinguishes the `apns-id`s of this launch's requests.
    let seed: RequestSeed

    private struct Bodies: Sendable {
        let plain: BodyBytes
        /// With the riding alert; nil when none rides, or when it would not fit.
        let alerted: BodyBytes?
    }

    var match: MatchID { publication.match }
    var revision: Int64 { publication.revision.number }
    var kind: PayloadKind { publication.isFinal ? .end : .update }

    /// Encodes the bodies; an alert that does not fit is left out rather than the picture.
    init(plan: PublicationPlan, key: [UInt8] = []) throws(PayloadError) {
        self.plan = plan
        let publication = plan.publication
        self.publication = publication
        let kind: PayloadKind = publication.isFinal ? .end : .update
        seed = RequestSeed(match: publication.match, revision: publication.revision.number, kind: kind, key: key)
        var bodies = [try Self.bodies(plan, contentState: publication.contentState)]
        for state in publication.otherStates { bodies.append(try Self.bodies(plan, contentState: state)) }
        self.bodies = bodies
    }

    /// The alert that this launch can carry.
    var activeAlert: ActiveAlert? { bodies[0].alerted == nil ? nil : plan.activeAlert }

    func priority(withAlert: Bool) -> PushPriority {
        withAlert ? plan.activeAlert?.priority ?? plan.priority : plan.priority
    }

    func body(variant: UInt8 = 0, withAlert: Bool) -> BodyBytes {
        let set = Int(variant) < bodies.count ? bodies[Int(variant)] : bodies[0]
        return withAlert ? set.alerted ?? set.plain : set.plain
    }

    /// How long APNs may keep a request of this launch: an old score is worth little, an end is worth an hour.
    func lifetime(withAlert: Bool) -> Duration {
        if publication.isFinal { return PushLimits.endLifetime }
        return withAlert ? PushLimits.alertLifetime : PushLimits.updateLifetime
    }

    private static func bodies(_ plan: PublicationPlan, contentState: [UInt8]) throws(PayloadError) -> Bodies {
        let plain = try Envelope.update(plan.publication, alert: nil, contentState: contentState)
        let alerted = plan.activeAlert.flatMap {
            try? Envelope.update(plan.publication, alert: $0.alert, contentState: contentState)
        }
        return Bodies(plain: BodyBytes(plain), alerted: alerted.map { BodyBytes($0) })
    }
}
