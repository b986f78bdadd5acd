// Feeds call a match over before they say how; a winner made up meanwhile would be told aloud (cricket.md B.8, C.9).

internal import MatchEngine

extension MatchSnapshot {
    /// The picture with an end that says neither who has won nor that nobody has: the result is awaited, unless innings
    /// that were played out prove it.
    ///
    /// - Parameter method: What the target was revised by, as far as the feed's words have it; without the target then
    ///   no innings proves anything.
    /// - Returns: The picture; the same when it has a result or is not over.
    func awaitingResult(revisedBy method: String? = nil) -> MatchSnapshot {
        guard status.status == .result, result == nil else { return self }
        var awaiting = self
        awaiting.status = StatusReport(
            status: .resultPending,
            note: status.note,
            since: status.since,
            day: status.day,
            session: status.session,
            isUnknown: status.isUnknown
        )
        if let method, let chase = innings.firstIndex(where: { $0.ordinal == 2 && $0.target == nil }) {
            awaiting.innings[chase].target = Target(runs: 0, method: method)
        }
        return MatchReplica(awaiting).state.result == nil ? awaiting : self
    }
}
