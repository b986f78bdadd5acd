// A recorded match is folded ball by ball, and each state is encoded as a push has it before it is drawn.

import MatchEngine
import Providers
import ScoreTypes
import SurfaceImages

/// The states of a recorded match as a phone receives them.
struct RenderedMatch {
    /// The title: both teams.
    let title: String
    /// One state for each step, from revision 1.
    let states: [SurfaceContent]

    /// Folds a Cricsheet match.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - scheme: The app's URL scheme for links.
    /// - Throws: The error of the file system, or of the adapter.
    init(path: String, scheme: String = "score") throws {
        let snapshot = try MatchFile.read(path) { try CricsheetAdapter().snapshot(of: $0) }
        let match = MatchID(MatchFile.id(path)) ?? MatchID(unchecked: "match")
        let attributes = ContentStateRenderer.bytes(
            of: ContentStateRenderer.attributes(of: snapshot.info, match: match, scheme: scheme)
        )
        var replica = MatchReplica()
        var announced: Set<MomentKey> = []
        var states: [SurfaceContent] = []
        for (index, changes) in MatchTimeline(snapshot).steps.enumerated() {
            replica.apply(changes)
            let fresh = replica.state.moments.filter { announced.insert($0.key).inserted }
            let event = Moment.mostImportant(of: fresh)
            let content = ContentStateRenderer.laidOut(
                ContentStateRenderer.render(
                    replica.state,
                    info: snapshot.info,
                    revision: Int64(index + 1),
                    event: event
                ),
                of: replica.state,
                as: .newest
            )
            let alert = event.flatMap {
                $0.isAlert ? SurfaceContent.Alert(title: $0.title, body: $0.body) : nil
            }
            states.append(
                SurfaceContent(ContentStateRenderer.bytes(of: content), attributes: attributes, alert: alert)
            )
        }
        self.states = states
        title = snapshot.info.teams.map(\.name).joined(separator: " v ")
    }

    /// States at equal distances, the first and the last among them.
    func sample(_ count: Int) -> [(revision: Int, content: SurfaceContent)] {
        guard count > 1, states.count > count else { return states.enumerated().map { ($0 + 1, $1) } }
        return (0..<count).map { step in
            let index = step * (states.count - 1) / (count - 1)
            return (index + 1, states[index])
        }
    }
}
