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

    /// The fate by the gate's verdict.
    ///
    /// - Parameters:
    ///   - verdict: What the gate made of the reply.
    ///   - revision: The new head; nil when nothing was appended.
    init(_ verdict: Gate.Verdict, revision: Revision?) {
        switch verdict {
        case .hold(let reason): self = .held(reason)
        case .drop(let reason): self = .dropped(reason)
        case .apply: self = revision.map { .applied($0) } ?? .unchanged
        }
    }
}
