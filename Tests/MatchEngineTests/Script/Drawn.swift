// Draws a written match and checks on the way that no presentation is wider than its layout.

import LiveSurface
import Testing

@testable import MatchEngine

typealias ContentState = LiveActivityAttributes.ContentState

extension MatchScript {
    /// The content state at revision 1, checked against every limit of PUBLICATION section 1.
    func drawn(event: Moment? = nil, at place: SourceLocation = #_sourceLocation) -> ContentState {
        let replica = replica
        let info = replica.record.info ?? info
        let content = ContentStateRenderer.render(replica.state, info: info, revision: 1, event: event)
        content.expectWithinLimits(at: place)
        return content
    }
}

extension ContentState {
    func expectWithinLimits(at place: SourceLocation = #_sourceLocation) {
        #expect(ContentStateRenderer.bytes(of: self).count <= 3_500, sourceLocation: place)
        #expect(small.line.count <= 24, "\(small.line)", sourceLocation: place)
        #expect(expanded.line.count <= 48, "\(expanded.line)", sourceLocation: place)
        #expect(minimal.text.count <= 7, "\(minimal.text)", sourceLocation: place)
        #expect(expanded.teams.count == 2, sourceLocation: place)
        #expect(expanded.batters.count <= 2, sourceLocation: place)
        #expect(expanded.recent.count <= 10, sourceLocation: place)
        for row in expanded.teams { #expect((2...4).contains(row.abbr.count), "\(row.abbr)", sourceLocation: place) }
        for name in expanded.batters.map(\.name) + [expanded.bowler?.name].compactMap({ $0 }) {
            #expect((1...24).contains(name.count), "\(name)", sourceLocation: place)
        }
        let texts = [compactTrailing.text, minimal.text, expanded.line, lockScreen.line, small.line, small.top]
        for text in texts { #expect(!text.isEmpty, sourceLocation: place) }
    }
}
