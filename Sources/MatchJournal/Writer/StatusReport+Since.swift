// Few feeds say since when rain has stopped play, but a restart after an hour is announced.

internal import MatchEngine
internal import ScoreTypes

extension StatusReport {
    /// The report with the status before it in place of one that the adapter does not know (cricket.md C.17).
    ///
    /// Balls of a match that had not begun, and a result, count more than the status.
    ///
    /// - Parameter known: The feed's report before; nil before its first reply.
    /// - Returns: The report; unchanged when its status is known.
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

    /// The report with the time at which a stop of play, or its end, was first seen, where the feed has none.
    ///
    /// - Parameters:
    ///   - known: The feed's report before.
    ///   - seenAt: When the reply had been read.
    /// - Returns: The report; the same status keeps its time.
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
