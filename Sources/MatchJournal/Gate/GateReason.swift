// The labels of the metric of held and dropped replies.

/// Why a reply was not accepted at once.
public enum GateReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// The list of balls, of the match or of an innings that it still has, was empty although balls are stored.
    case emptyList
    /// The provider's own version was lower than one seen before.
    case olderVersion
    /// A withdrawal, an amendment or a wicket in a snapshot that lacks balls that its provider counts.
    case incomplete
    /// More balls vanished than a correction withdraws, or a whole innings did.
    case massWithdrawal
    /// The newest balls vanished and nothing was corrected, as in an old copy of the reply.
    case scoreFell
    /// A match that was over is not over any more.
    case resultTakenBack
    /// The sides are not the stored ones, as when an id is used twice.
    case sidesChanged
}
