// Hardly a feed says since when rain has held up play, but play that goes on after an hour of it is told aloud.

internal import MatchEngine
internal import ScoreTypes

extension StatusReport {
    /// The report with what was known before in place of a word that nobody knows (cricket.md C.17): the word is shown.
    ///
    /// What the feed tells beside its word counts where it goes further: balls of a match that had not begun, a result.
    ///
    /// - Parameter known: What the feed said before; nil before its first reply.
    /// - Returns: The report; the same when its word is known.
    func understood(after known: StatusReport?) -> StatusReport {
        guard isUnknown else { return self }
        let isFurther = known.map { $0.status.isBeforeStart && !status.isBeforeStart || status.isFinal }
        guard let known, isFurther == false else {
            return StatusReport(status: status, note: note, since: since, day: day, session: session)
        }
        return StatusReport(
            status: known.status,
            note: note,
            since: known.since,
            day: day ?? known.day,
            session: session ?? known.session
        )
    }

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
