// What became of a reply, for metrics and for whoever sent it.

public import ScoreTypes

/// The fate of one reply.
public enum Acceptance: Sendable, Hashable {
    /// It changed the match or made a moment certain; this revision is its publication.
    case applied(Revision)
    /// It told nothing new.
    case unchanged
    /// It is doubted until the next reply says the same.
    case held(GateReason)
    /// Another feed speaks for the match; it was compared, and kept for the time when that one falls silent.
    case standby
    /// It was forgotten.
    case dropped(GateReason)
}
