// The compact form fits one innings: the score of a finished Test has two.

import Foundation
import LiveSurface
import Providers
import ScoreTypes
import TestSupport
import Testing

@testable import SurfaceImages

@Suite struct CompactScoreTests {
    private static let slots = ["compact leading", "compact trailing"]

    /// The texts of the compact form that are cut, on both screens.
    private static func cut(_ content: SurfaceContent) -> [String] {
        SurfaceScreen.allCases.flatMap { screen in
            SurfaceImage.render(content, .compact, SurfaceImageOptions(screen: screen)).findings.compactMap {
                guard case .truncated(let slot, let text, let shown) = $0, slots.contains(slot) else { return nil }
                return "\(slot) \(text): \(shown)"
            }
        }
    }

    @Test(arguments: [("335 & 224/6", "224/6"), ("487/6d & 301", "301"), ("87/6", "87/6"), ("forf & 5/0", "5/0")])
    func aFinishedTestShowsItsLastInnings(score: String, shown: String) {
        var state = ImageFixtures.chase()
        state.matchDisplayState = .finished
        state.compactLeading = .init(teamAbbr: "AUS", score: score)
        (state.compactTrailing, state.minimal) = (.init(text: "won"), .init(text: "AUS won"))
        #expect(state.compactLeading.newestScore == shown)
        let content = ImageFixtures.content(state)
        #expect(Self.cut(content) == [])
        #expect(SurfaceImage.render(content, .compact).svg.contains(">\(shown)<"))
    }

    /// All matches at their end, and at every fiftieth step.
    @Test(.needsRecordedMatches) func noScoreOfARecordedMatchIsCut() throws {
        var (states, lines) = (0, Set<String>())
        for (id, url) in try MatchArchive.special.files() {
            let snapshot = try CricsheetAdapter().snapshot(of: CricsheetDocument(json: Array(Data(contentsOf: url))))
            let contents = ImageFixtures.contents(of: snapshot, match: try #require(MatchID(id))) { count in
                Set(stride(from: 0, to: count, by: 50) + [count - 1])
            }
            states += contents.count
            for (index, content) in contents { lines.formUnion(Self.cut(content).map { "\(id) \(index): \($0)" }) }
        }
        #expect(states > 1_000)
        #expect(lines.sorted() == [])
    }
}
