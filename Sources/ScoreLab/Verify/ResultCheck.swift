// Compares the result by the balls with the result that officials published.

import MatchEngine

/// Compares what the balls prove with what was published.
struct ResultCheck {
    let state: MatchState
    let published: ProviderResult?
    let info: MatchInfo

    /// Why the two differ; nil when they agree.
    var reason: String? {
        if let target = targetReason { return target }
        if let published, isWithoutTarget(published) {
            return agreesWithoutTarget(published)
                ? nil : "result: published \(text(published)), but the wickets or the winner differ"
        }
        guard let published else { return state.proven == nil ? nil : "result: none published, the balls give \(said)" }
        return agrees(with: published) ? nil : "result: published \(text(published)), the balls give \(said)"
    }

    private func agrees(with published: ProviderResult) -> Bool {
        let proven = state.proven
        switch published.kind {
        case .runs(let margin):
            return proven?.kind == .runs(margin) && proven?.winner == published.winner
                || agrees(withPar: margin, winner: published.winner)
        case .wickets(let margin): return proven?.kind == .wickets(margin) && proven?.winner == published.winner
        case .innings(let margin): return proven?.kind == .innings(margin) && proven?.winner == published.winner
        case .draw: return proven?.kind == .draw
        // Abandoned play proves nothing; in a match of two innings it proves that no side has won.
        case .noResult: return proven == nil || proven?.kind == .draw
        case .tie: return agrees(withTie: published)
        case .fewerWickets: return lostFewerWickets(published.winner)
        // No ball decides these.
        case .awarded, .won: return published.winner != nil
        }
    }

    /// Whether the target was revised and never named: then there is no margin in runs to hold against anything.
    private func isWithoutTarget(_ published: ProviderResult) -> Bool {
        guard published.isRevised, !state.rules.hasTwoInnings else { return false }
        let ordinary = state.innings.filter { !$0.isSuperOver }
        return ordinary.count == 2 && ordinary[1].target == nil
    }

    private func agreesWithoutTarget(_ published: ProviderResult) -> Bool {
        guard let chase = state.innings.last(where: { !$0.isSuperOver }) else { return false }
        switch published.kind {
        case .wickets(let margin):
            return published.winner == chase.info.batting && margin == RuleSet.lastWicket - chase.wickets
        case .runs: return published.winner != nil
        case .tie, .noResult: return true
        default: return false
        }
    }

    /// A revised chase that ends on its last ball above the target was won by wickets, or was stopped there and won by
    /// the runs above par: only officials know which (cricket.md C.5).
    private func agrees(withPar margin: Int, winner: Side?) -> Bool {
        guard let chase = state.innings.last(where: { !$0.isSuperOver }), let target = chase.target else {
            return false
        }
        let isAtEnd = target.method != nil && chase.ballsLeft == 0 && chase.info.batting == winner
        return isAtEnd && state.proven?.winner == winner && chase.runs - target.runs + 1 == margin
    }

    private func agrees(withTie published: ProviderResult) -> Bool {
        guard state.proven?.kind == .tie else { return false }
        // A bowl-out is no cricket that deliveries record.
        if published.tieBreak == "bowlOut" { return state.proven?.winner == nil }
        return state.proven?.winner == published.tieBreakWinner
    }

    private func lostFewerWickets(_ winner: Side?) -> Bool {
        guard let winner, state.total(of: .first) == state.total(of: .second) else { return false }
        let lost = { (side: Side) in state.innings(of: side).reduce(0) { $0 + $1.wickets } }
        return lost(winner) < lost(winner.opponent)
    }

    /// A target without a revision is one more than the other side's runs.
    private var targetReason: String? {
        guard !state.rules.hasTwoInnings, published?.method == nil, published?.kind != .noResult else { return nil }
        let innings = state.innings.filter { !$0.isSuperOver }
        guard innings.count == 2, let given = innings[1].info.target, given.method == nil else { return nil }
        let due = innings[0].runs + 1
        let isWhole = given.balls == nil || given.balls == state.rules.ballLimit
        guard isWhole, given.runs != due else { return nil }
        return "target: published \(given.runs), the balls give \(due)"
    }

    private var said: String { state.proven.map { $0.text { info.team($0).name } } ?? "nothing" }

    private func text(_ result: ProviderResult) -> String {
        guard let official = state.result else { return "\(result.kind)" }
        return official.text { info.team($0).name }
    }
}
