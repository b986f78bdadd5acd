// Not every provider has a word for everything that a match file holds; what it cannot say it cannot be held to.

import MatchEngine
import ScoreTypes

extension MatchSnapshot {
    /// The match as far as a provider can express it; each shape documents its provider's limits.
    func reportable(by provider: Provider) -> MatchSnapshot {
        var match = self
        switch provider {
        case .cricsheet, .cricketData: break
        case .entitySport: match.movePenaltiesBeforeInnings()
        case .sportmonks:
            match.forgetLastDeclaration()
            match.callRunsOnWidesWides()
        case .roanuz:
            match.forgetLastDeclaration()
            match.callAllRetirementsHurt()
        }
        return match
    }

    /// A declaration has no status of its own: the next innings implies it, and after the last there is none.
    private mutating func forgetLastDeclaration() {
        guard !innings.isEmpty, !info.format.isLimitedOvers else { return }
        innings[innings.count - 1].isDeclared = false
    }

    /// The extras of an innings are one number, whenever its penalty runs were awarded.
    private mutating func movePenaltiesBeforeInnings() {
        for index in innings.indices {
            innings[index].penaltyBefore += innings[index].penaltyAfter
            innings[index].penaltyAfter = 0
        }
    }

    /// One word stands for all who retire, and a flag for those who are out.
    private mutating func callAllRetirementsHurt() {
        for index in deliveries.indices where !deliveries[index].dismissals.isEmpty {
            deliveries[index].dismissals = deliveries[index].dismissals.map {
                $0.kind == .retiredNotOut ? Dismissal(kind: .retiredHurt, out: $0.out, fielders: $0.fielders) : $0
            }
        }
    }

    /// Two recorded balls have runs off the bat on a wide, which the laws do not know.
    private mutating func callRunsOnWidesWides() {
        for index in deliveries.indices where deliveries[index].runs.wides > 0 {
            deliveries[index].runs.wides += deliveries[index].runs.bat
            deliveries[index].runs.bat = 0
        }
    }
}
