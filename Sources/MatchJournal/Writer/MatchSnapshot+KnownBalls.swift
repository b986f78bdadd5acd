// A feed that reports only totals knows nothing of balls, so its snapshot takes none of them back.

internal import MatchEngine

extension MatchSnapshot {
    /// Whether it shows by totals that play has begun, and has no ball.
    var isScoreOnly: Bool { deliveries.isEmpty && innings.contains { $0.reported?.isBegun == true } }

    /// The snapshot with the stored balls of the match, when it has totals alone.
    ///
    /// Balls, players and places are the stored ones, innings get the total; status and result are the snapshot's own.
    /// A snapshot that names other sides is returned as it is, so that the gate sees it.
    func keepingBalls(of record: MatchRecord) -> MatchSnapshot {
        guard isScoreOnly, !record.deliveries.isEmpty, let known = record.info,
            known.teams.map(\.id) == info.teams.map(\.id)
        else { return self }
        var kept = self
        kept.info = known
        kept.deliveries = record.deliveries
        let reported = Dictionary(innings.map { ($0.ordinal, $0) }) { first, _ in first }
        kept.innings = record.innings.map { frame in
            guard let total = reported[frame.ordinal], total.batting == frame.batting else { return frame }
            var frame = frame
            frame.reported = total.reported
            frame.isClosed = frame.isClosed || total.isClosed
            return frame
        }
        let ordinals = Set(record.innings.map(\.ordinal))
        kept.innings += innings.filter { !ordinals.contains($0.ordinal) }
        kept.innings.sort { $0.ordinal < $1.ordinal }
        return kept
    }
}

extension MatchRecord {
    /// Whether a feed of totals leads the match, whose balls another feed has reported.
    var hasTotalsBesideBalls: Bool {
        innings.contains { $0.reported?.isBegun == true && !deliveries.ofInnings($0.ordinal).isEmpty }
    }
}
