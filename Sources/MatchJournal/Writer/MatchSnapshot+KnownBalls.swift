// Who tells totals alone has nothing to say about balls, and takes none of them back.

internal import MatchEngine

extension MatchSnapshot {
    /// Whether it tells that play has begun by totals, and no ball.
    var isScoreOnly: Bool { deliveries.isEmpty && innings.contains { $0.reported?.isBegun == true } }

    /// The snapshot with what is known of the match beside its totals, when those are all that it tells.
    ///
    /// Balls, players and places stay, innings get the total; status and result are the snapshot's own. One that names
    /// other sides is as it was, so that the gate sees it.
    func keepingBalls(of record: MatchRecord) -> MatchSnapshot {
        guard isScoreOnly, !record.deliveries.isEmpty, let known = record.info,
            known.teams.map(\.id) == info.teams.map(\.id)
        else { return self }
        var kept = self
        kept.info = known
        kept.deliveries = record.deliveries
        let told = Dictionary(innings.map { ($0.ordinal, $0) }) { first, _ in first }
        kept.innings = record.innings.map { frame in
            guard let told = told[frame.ordinal], told.batting == frame.batting else { return frame }
            var frame = frame
            frame.reported = told.reported
            frame.isClosed = frame.isClosed || told.isClosed
            return frame
        }
        let ordinals = Set(record.innings.map(\.ordinal))
        kept.innings += innings.filter { !ordinals.contains($0.ordinal) }
        kept.innings.sort { $0.ordinal < $1.ordinal }
        return kept
    }
}
