// Captures replay the events of a match's writer in their order, and so produce the same journal.

internal import MatchEngine
public import ScoreTypes

/// One event of a match's writer.
public struct CaptureEvent: Sendable {
    /// The kind of the event.
    public enum Kind: Sendable {
        /// The writer read the journal, so that its memory is that of the journal.
        case opened
        /// An event that the writer decided about.
        case event(WriterState.Event)
    }

    /// The match.
    public let match: MatchID
    /// The feed of the writer.
    public let feed: FeedID
    /// Real time by a clock that never jumps.
    public let at: Duration
    /// Wall time.
    public let wall: Instant
    /// The kind of the event.
    public let kind: Kind
    /// The state of the writer before the event; nil unless it was recorded.
    public internal(set) var stateBefore: WriterState?
}
