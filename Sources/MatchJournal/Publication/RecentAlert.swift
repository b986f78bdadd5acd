// An alert needs time to reach all devices; until then it has to be known whether its moment was withdrawn.

internal import ScoreTypes

/// An alert that was given to the outlet.
struct RecentAlert: Sendable, Hashable {
    /// `Publication.alertID` of the alert.
    let id: String
    let moment: MomentIdentity
    /// When its publication was committed.
    let at: Instant

    /// nil for a silent publication.
    init?(_ publication: Publication) {
        guard let id = publication.alertID, let moment = publication.alertMoment else { return nil }
        self.id = id
        self.moment = moment
        at = publication.committedAt
    }
}
