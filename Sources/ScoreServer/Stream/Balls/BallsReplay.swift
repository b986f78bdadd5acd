// The journal fills the gap between a client's position and the memory of this node.

import MatchJournal
import Metrics
import ScoreTypes

/// Reads what streams in balls mode lack when they open.
struct BallsReplay: Sendable {
    let history: ChangeHistory
    let matches: MatchCache
    /// Time for the query of one match; then the client gets a reset.
    let deadline: Duration

    /// The start of each match; nil claims begin with the newest state.
    func starts(of views: [MatchView], claimed: StreamPositions?) async -> [BallsStart] {
        var starts: [BallsStart] = []
        for view in views { starts.append(await start(of: view, claimed: claimed)) }
        return starts
    }

    private func start(of view: MatchView, claimed: StreamPositions?) async -> BallsStart {
        let position = claimed?[view.match]
        let span = history.span(of: view.match)
        switch BallsResume.judge(position, claimed: claimed != nil, head: view.revision, span: span) {
        case .fresh: return .fresh
        case .reset(let reason): return .reset(reason)
        case .memory:
            count("memory")
            return position.map { .after($0, []) } ?? .fresh
        case .database(let missing):
            guard let position, history.takeReplay() else {
                count("refused")
                return .reset(.resync)
            }
            guard let frames = try? await frames(of: view, after: position, count: missing) else {
                count("failed")
                return .reset(.resync)
            }
            count("database")
            return .after(position, frames)
        }
    }

    /// The events of so many revisions; throws when the journal does not answer in time or has others.
    private func frames(of view: MatchView, after position: Revision, count: Int) async throws -> [StreamFrame] {
        let changes = matches.changes
        let entries = try await Deadline.run(deadline, .unavailable("deadline")) {
            try await changes(view.match, position.number, count)
        }
        guard entries.map(\.revision) == (1...Int64(count)).map({ position.number + $0 }) else {
            throw ServiceProblem.unavailable("journal")
        }
        return entries.map { entry in
            let isHead = entry.revision == view.revision.number
            return StreamFrame(entry, of: view.match, epoch: position.epoch, head: isHead ? view : nil)
        }
    }

    private func count(_ source: String) {
        Counter(label: "score_sse_replays_total", dimensions: [("source", source)]).increment()
    }
}
