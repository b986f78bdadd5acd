// The known part of a finished match after some of its balls.

import Providers
import ScoreIngest

extension CricsheetDocument {
    /// The match after its first balls: without its outcome, and without the end of the innings in progress.
    func cut(to count: Int) -> CricsheetDocument {
        var left = count
        var document = self
        document.info.outcome = nil
        document.info.playerOfMatch = nil
        document.innings = []
        for var entry in innings where left > 0 || document.innings.isEmpty {
            let balls = (entry.overs ?? []).reduce(0) { $0 + $1.deliveries.count }
            if left < balls || balls == 0 || left == balls && entry == innings.last {
                entry.declared = nil
                entry.absentHurt = nil
                entry.penaltyRuns?.post = nil
            }
            entry.overs = (entry.overs ?? []).compactMap { over in
                guard left > 0 else { return nil }
                var over = over
                over.deliveries = Array(over.deliveries.prefix(left))
                left -= over.deliveries.count
                return over
            }
            document.innings.append(entry)
        }
        return document
    }

    /// Gives the last ball one run too many off the bat.
    mutating func misreportLast() {
        guard let innings = innings.indices.last, let over = self.innings[innings].overs?.indices.last,
            let ball = self.innings[innings].overs?[over].deliveries.indices.last
        else { return }
        self.innings[innings].overs?[over].deliveries[ball].runs.batter += 1
        self.innings[innings].overs?[over].deliveries[ball].runs.total += 1
    }
}
