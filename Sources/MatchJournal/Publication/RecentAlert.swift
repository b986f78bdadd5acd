// An alert takes a while to reach everybody; whether its moment still stands has to be known as long as that.

internal import ScoreTypes

/// An alert that was given to the outlet.
struct RecentAlert: Sendable, Hashable {
    /// Alerts remembered for a match: more than can be confirmed in the minute that they live.
    static let countMax = 64

    /// The name of this telling.
    let id: String
    let happening: MomentIdentity
    /// When its publication was committed.
    let at: Instant

    /// nil for a silent publication.
    init?(_ publication: Publication) {
        guard let id = publication.alertID, let happening = publication.alertHappening else { return nil }
        self.id = id
        self.happening = happening
        at = publication.committedAt
    }
}
