// One line an over: the score, what happened, how many pushes were accepted, how fast.

import LiveSurface
import MatchJournal
import ScoreTypes
import Simulators

/// Reads the stream of a match and prints a line when an over is complete, the innings changed or play stopped.
actor DemoNarrator {
    /// Where the last line was printed.
    private struct Place: Equatable {
        let display: MatchDisplayState
        let team: String
        /// The over of `12` or `12.3`; The Hundred counts balls.
        let over: Substring?
    }

    private let demo: DemoTestbed
    private let say: @Sendable (String) -> Void
    private var accepted = 0
    private var times = BallTimes()
    private var lastPlace: Place?
    private var lastEvent: String?
    /// Sentences of the moments since the last line.
    private var moments: [String] = []

    init(demo: DemoTestbed, say: @escaping @Sendable (String) -> Void) {
        self.demo = demo
        self.say = say
    }

    /// Takes the next state, and prints a line with the figures since the last one when it is time for one.
    func take(_ state: LiveActivityAttributes.ContentState) async {
        if let event = state.expanded.event, event.text != lastEvent {
            moments.append(event.text)
            lastEvent = event.text
        }
        let overs = state.compactTrailing.overs
        let team = state.compactLeading.teamAbbr
        let place = Place(display: state.matchDisplayState, team: team, over: overs?.split(separator: ".").first)
        guard place != lastPlace else { return }
        lastPlace = place
        let score = "\(team) \(state.compactLeading.score)\(overs.map { " (\($0))" } ?? "")".padded(to: 22)
        let events = moments
        moments = []
        say("\("\(score)  \(state.lockScreen.line)".padded(to: 64))  \(await figures())")
        for event in events { say("    \(event)") }
    }

    /// Accepted pushes since the last line, and the slowest of them.
    private func figures() async -> String {
        let statistics = demo.bed.apns.statistics
        let figures = "\(statistics.accepted - accepted) pushes"
        accepted = statistics.accepted
        // The newest publication may still be on its way to some; it counts with the next line.
        let newest = statistics.revisions.keys.max() ?? 0
        var further = times
        let spans = try? await further.next(
            served: demo.feed.firstServed,
            pushed: statistics.revisions,
            upTo: newest - 1,
            entries: { [demo] in try await demo.journal.entries(of: demo.match, after: $0) }
        )
        times = further
        guard let slowest = spans?.map(\.last).max() else { return figures }
        return "\(figures), the last \(slowest.reportMilliseconds) ms after the feed's reply"
    }
}
