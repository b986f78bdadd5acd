// A paced publication with its bodies, encoded once for all lanes and channels.

internal import HTTP2
internal import Logging
internal import ScoreTypes

/// One encoded publication; all lanes and channels share the object.
final class EncodedPublication: Sendable {
    let publication: PushPublication
    let kind: PayloadKind
    let plan: PublicationPlan
    /// The bodies of each variant of the content state; a missing variant uses the first.
    private let bodies: [Bodies]
    /// The seed of the requests' `apns-id`s.
    let seed: RequestSeed

    private struct Bodies: Sendable {
        let plain: BodyBytes
        /// With the active alert; nil if there is none or it does not fit.
        let alerted: BodyBytes?
    }

    var match: MatchID { publication.match }
    var revision: Int64 { publication.revision.number }

    /// The fields of its line in the log; `before` is the revision that was sent before it.
    func logFields(after before: Int64?) -> Logger.Metadata {
        var fields: Logger.Metadata = [
            "match.id": "\(match)", "rev": "\(revision)", "class": "\(kind.rawValue)", "alert": "\(activeAlert != nil)",
            "trace": "\(RevisionTrace(match, revision: revision))",
        ]
        if let before { fields["rev.after"] = "\(before)" }
        return fields
    }

    /// Encodes the bodies; an alert that does not fit is omitted.
    ///
    /// - Throws: `PayloadError.tooLarge` if a state does not fit.
    init(plan: PublicationPlan, key: [UInt8] = []) throws(PayloadError) {
        self.plan = plan
        let publication = plan.publication
        self.publication = publication
        kind = publication.isFinal ? .end : .update
        seed = RequestSeed(match: publication.match, revision: publication.revision.number, kind: kind, key: key)
        var bodies = [try Self.bodies(plan, contentState: publication.contentState)]
        for state in publication.otherStates { bodies.append(try Self.bodies(plan, contentState: state)) }
        self.bodies = bodies
    }

    /// The alert that the body can carry.
    var activeAlert: ActiveAlert? { bodies[0].alerted == nil ? nil : plan.activeAlert }

    func priority(withAlert: Bool) -> PushPriority {
        withAlert ? plan.activeAlert?.priority ?? plan.priority : plan.priority
    }

    /// Whether a device that does not allow frequent pushes receives priority 5.
    func demotesInfrequent(withAlert: Bool) -> Bool {
        (withAlert ? plan.activeAlert?.infrequentPriority : nil) ?? plan.infrequentPriority == .five
    }

    func body(variant: UInt8 = 0, withAlert: Bool) -> BodyBytes {
        let set = Int(variant) < bodies.count ? bodies[Int(variant)] : bodies[0]
        return withAlert ? set.alerted ?? set.plain : set.plain
    }

    /// Time for which APNs may store a request.
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
