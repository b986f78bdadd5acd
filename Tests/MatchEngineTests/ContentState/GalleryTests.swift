// Every situation in all six presentations, side by side, so that a change of a text is seen whole.

import LiveSurface
import Testing

@testable import MatchEngine

@Suite struct GalleryTests {
    @Test(arguments: Gallery.scenes.indices)
    func everySituationIsDrawnAsStored(index: Int) {
        let scene = Gallery.scenes[index]
        let drawn = Gallery.text(scene.script().drawn())
        #expect(drawn == scene.expected, "\(scene.name)")
    }
}

/// Situations with their drawings.
enum Gallery {
    struct Scene: Sendable {
        let name: String
        let script: @Sendable () -> MatchScript
        let expected: String
    }

    /// The six presentations, a line each.
    static func text(_ content: ContentState) -> String {
        let trailing = [content.compactTrailing.overs, content.compactTrailing.runRate].compactMap { $0 }
        let teams = content.expanded.teams.map { row in
            [row.batting ? "*\(row.abbr)" : row.abbr, row.score, row.overs.map { "(\($0))" } ?? ""]
                .filter { !$0.isEmpty }.joined(separator: " ")
        }
        return [
            "state    \(content.matchDisplayState.rawValue)",
            "leading  \(content.compactLeading.teamAbbr) \(content.compactLeading.score)",
            "trailing \((trailing + [content.compactTrailing.text]).joined(separator: " | "))",
            "minimal  \([content.minimal.text, content.minimal.flash].compactMap { $0 }.joined(separator: " | "))",
            "expanded \((teams + [content.expanded.line]).joined(separator: " | "))",
            "lock     \([content.lockScreen.line, content.lockScreen.sub].compactMap { $0 }.joined(separator: " | "))",
            "small    \(content.small.top) | \(content.small.bottom) | \(content.small.line)",
        ].joined(separator: "\n")
    }

    static func t20(_ change: (inout MatchScript) -> Void) -> MatchScript {
        var script = MatchScript.t20()
        script.status(.live)
        change(&script)
        return script
    }

    static func test(_ change: (inout MatchScript) -> Void) -> MatchScript {
        var script = MatchScript.test()
        script.status(.toss)
        script.status(.live)
        change(&script)
        return script
    }

    static let scenes: [Scene] = limited + long
}
