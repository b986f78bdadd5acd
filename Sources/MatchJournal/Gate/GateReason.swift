// The labels of the metric of held and dropped replies.

/// Why a reply was not believed at once.
public enum GateReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// The list of balls, of the match or of an innings that stands, was empty although balls are stored.
    case emptyList
    /// The provider's own version was lower than one seen before.
    case olderVersion
    /// Something was taken back or put right, or a wicket told, in a picture that lacks balls its provider counts.
    case incomplete
    /// More balls vanished than a correction takes away, or a whole innings did.
    case massWithdrawal
    /// The newest balls vanished and nothing was put right, as in an old copy of the reply.
    case scoreFell
    /// A match that was over is not over any more.
    case resultTakenBack
    /// Other sides play than those stored, as when an id is used twice.
    case sidesChanged
}
