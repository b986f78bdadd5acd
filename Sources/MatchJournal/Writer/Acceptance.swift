// The result of a reply, for metrics and for its poller.

public import ScoreTypes

/// The result of one reply.
public enum Acceptance: Sendable, Hashable {
    /// It changed the match or confirmed a moment; this revision is its publication.
    case applied(Revision)
    /// It had nothing new.
    case unchanged
    /// It is held until the next reply shows the same.
    case held(GateReason)
    /// Another feed leads the match; the reply was compared, and is kept for the time when that one falls silent.
    case standby
    /// It was dropped.
    case dropped(GateReason)

    /// The result of a verdict, with the new head; nil when nothing was appended.
    package init(_ verdict: Gate.Verdict, revision: Revision?) {
        switch verdict {
        case .hold(let reason): self = .held(reason)
        case .drop(let reason): self = .dropped(reason)
        case .apply: self = revision.map { .applied($0) } ?? .unchanged
        }
    }
}
