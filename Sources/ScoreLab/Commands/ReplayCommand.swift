// `score-lab replay` prints a match ball by ball.

import ArgumentParser
import LiveSurface
import MatchEngine
import Providers

/// Prints a match ball by ball.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Print a Cricsheet match ball by ball: score line and moments."
    )

    @Argument(help: "A Cricsheet JSON file.")
    var file: String

    @Flag(help: "Print the content state of every step as well, with its size in bytes.")
    var contentState = false

    @Option(help: "Layout of the content state, 1 or 2.")
    var layout = ContentStateVersion.standard.rawValue

    func validate() throws {
        guard ContentStateVersion(rawValue: layout) == nil else { return }
        throw ValidationError("--layout must be 1 or 2.")
    }

    func run() throws {
        let snapshot = try MatchFile.read(file) { try CricsheetAdapter().snapshot(of: $0) }
        var replica = MatchReplica()
        var announced: Set<MomentKey> = []
        for (index, changes) in MatchTimeline(snapshot).steps.enumerated() {
            replica.apply(changes)
            let fresh = replica.state.moments.filter { announced.insert($0.key).inserted }
            let event = Moment.mostImportant(of: fresh)
            let drawn = ContentStateRenderer.laidOut(
                ContentStateRenderer.render(
                    replica.state,
                    info: snapshot.info,
                    revision: Int64(index + 1),
                    event: event
                ),
                of: replica.state,
                as: ContentStateVersion(rawValue: layout) ?? .standard
            )
            print(ReplayLine(state: replica.state, changes: changes, drawn: drawn).text)
            for moment in fresh { print("      * \(moment.title) \(moment.body)") }
            guard contentState else { continue }
            let bytes = ContentStateRenderer.bytes(of: drawn)
            print("      \(bytes.count) B \(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
