// An alert that was wrong is listed with what confirmed it.

/// The evidence that confirmed a moment.
public enum Confirmation: String, Sendable, Hashable, Codable, CaseIterable {
    /// The provider's final word: a ball that it marks as final, or the end of the match.
    case final
    /// A later ball that the feed did not have before the moment, ten seconds after the first report, or in the first
    /// reply after a silence.
    case nextBall = "next_ball"
    /// A batter who was not in yet is at the crease.
    case newBatter = "new_batter"
    /// A feed that does not lead the match reports the same.
    case secondFeed = "second_feed"
    /// A reply showed it unchanged after the time in which its feed corrects such moments.
    case unchanged
    /// No reply came before the upper bound (`JournalLimits.confirmationBound`).
    case bound
}
