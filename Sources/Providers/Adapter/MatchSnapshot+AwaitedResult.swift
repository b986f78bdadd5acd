// Feeds report the end of a match before its result; an inferred winner would be published (cricket.md B.8, C.9).

internal import MatchEngine

extension MatchSnapshot {
    /// The snapshot, whose status is `resultPending` if the match is over without a result and its innings prove none.
    ///
    /// `method` is the method that revised the target, as far as the feed reports it: without that target the innings
    /// prove nothing.
    func awaitingResult(revisedBy method: String? = nil) -> MatchSnapshot {
        guard status.status == .result, result == nil else { return self }
        var awaiting = self
        awaiting.status.status = .resultPending
        if let method, let chase = innings.firstIndex(where: { $0.ordinal == 2 && $0.target == nil }) {
            awaiting.innings[chase].target = Target(runs: 0, method: method)
        }
        return MatchReplica(awaiting).state.result == nil ? awaiting : self
    }
}
