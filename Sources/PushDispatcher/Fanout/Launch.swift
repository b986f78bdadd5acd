// A publication on its way out: what the pacing decided, with the bodies encoded once for everybody.

internal import ScoreTypes

/// One launched publication; the same object serves every lane and channel.
final class Launch: Sendable {
    let publication: PushPublication
    let plan: LaunchPlan
    /// The body without an alert.
    let plainBody: [UInt8]
    /// The body with the riding alert; nil when none rides.
    let alertedBody: [UInt8]?
    /// Real time of the launch, for the metrics.
    let launchedAt: Duration

    var match: MatchID { publication.match }
    var revision: Int64 { publication.revision.number }
    var kind: PayloadKind { publication.isFinal ? .end : .update }

    /// Encodes the bodies; an alert that does not fit is left out rather than the picture.
    init(plan: LaunchPlan, at now: Duration) throws(PayloadError) {
        self.plan = plan
        publication = plan.publication
        launchedAt = now
        plainBody = try Envelope.update(plan.publication, alert: nil)
        if let riding = plan.riding {
            alertedBody = try? Envelope.update(plan.publication, alert: riding.alert)
        } else {
            alertedBody = nil
        }
    }

    /// The alert that this launch can carry.
    var riding: Riding? { alertedBody == nil ? nil : plan.riding }

    func priority(withAlert: Bool) -> PushPriority {
        withAlert ? plan.riding?.priority ?? plan.priority : plan.priority
    }
    func body(withAlert: Bool) -> [UInt8] { withAlert ? alertedBody ?? plainBody : plainBody }
}
