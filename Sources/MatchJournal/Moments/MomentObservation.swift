// Every match shows how its feed corrects moments, so a decision carries its observations.

/// Something that a decision about a match shows about its feed.
public enum MomentObservation: Sendable, Hashable {
    /// A moment is reported that waits for its confirmation.
    case reported(MomentClass)
    /// A moment was wrong: it was last reported at that age, in whole seconds of domain time.
    case wrong(MomentClass, lastReportedAt: Int)
    /// A moment was confirmed after a wait in seconds of domain time.
    case confirmed(MomentClass, by: Confirmation, after: Int)
    /// A moment whose alert was published was withdrawn.
    case revoked(RevokedMoment)

    /// Whether a moment was wrong that waited for its confirmation.
    var isMistake: Bool { if case .wrong = self { true } else { false } }
}

/// A moment that was withdrawn after its announcement.
public struct RevokedMoment: Sendable, Hashable {
    /// The key.
    public let key: String
    /// The class.
    public let kind: MomentClass
    /// Title of the alert.
    public let title: String
    /// Body of the alert.
    public let body: String
    /// The evidence that confirmed it.
    public let confirmedBy: Confirmation
    /// Seconds of domain time from its first report to its confirmation.
    public let waited: Int
    /// Seconds of domain time from its first report to the last reply that showed it.
    public let lastReportedAt: Int
}
