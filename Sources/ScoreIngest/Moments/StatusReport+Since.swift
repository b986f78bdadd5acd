// Hardly a feed says since when rain has held up play, but play that goes on after an hour of it is told aloud.

internal import MatchEngine
internal import ScoreTypes

extension StatusReport {
    /// The report with the time at which a stop of play, or its end, was first seen, where the feed does not say it.
    ///
    /// - Parameters:
    ///   - known: What the feed said before.
    ///   - seenAt: When the reply had been read.
    /// - Returns: The report; a word that stays keeps its time.
    func timed(after known: StatusReport, seenAt: Instant) -> StatusReport {
        guard since == nil else { return self }
        let isNew = status != known.status && (status.isDelay || known.status.isDelay)
        let stood = status == known.status ? known.since : nil
        return StatusReport(
            status: status,
            note: note,
            since: isNew ? seenAt.seconds : stood,
            day: day,
            session: session
        )
    }
}
