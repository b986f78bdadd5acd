// Few feeds say since when rain has stopped play, but a restart after an hour is announced.

internal import MatchEngine
internal import ScoreTypes

extension StatusReport {
    /// The report with the feed's status before it in place of one that the adapter does not know (cricket.md C.17).
    ///
    /// Balls of a match that had not begun, and a result, count more than the status.
    func understood(after known: StatusReport?) -> StatusReport {
        guard isUnknown else { return self }
        var report = self
        report.isUnknown = false
        let isFurther = known.map { $0.status.isBeforeStart && !status.isBeforeStart || status.isFinal }
        guard let known, isFurther == false else { return report }
        (report.status, report.since) = (known.status, known.since)
        (report.day, report.session) = (day ?? known.day, session ?? known.session)
        return report
    }

    /// The report with the time at which a stop of play, or its end, was first seen, where the feed has none; the same
    /// status keeps its time.
    func timed(after known: StatusReport, seenAt: Instant) -> StatusReport {
        guard since == nil else { return self }
        let isNew = status != known.status && (status.isDelay || known.status.isDelay)
        var report = self
        report.since = isNew ? seenAt.seconds : status == known.status ? known.since : nil
        report.isUnknown = false
        return report
    }
}
