// The limit of bytes, the order of removal, and names longer than any island.

import LiveSurface
import Testing

@testable import MatchEngine

@Suite struct SizeLimitTests {
    private static let long = String(repeating: "Wörterreich-Überlänge ", count: 40)

    private func longMatch(_ name: String) -> MatchScript {
        var info = MatchInfo.make(.test, first: "One " + name, second: "Two " + name)
        info.venue = name
        info.competition = name
        var script = MatchScript(info)
        script.status(.live, note: name)
        script.begin(.first)
        let batters = ["A", "B", "C"].map { Player(id: $0 + name, name: name + $0) }
        script.add(runs: DeliveryRuns(bat: 300), striker: batters[0], nonStriker: batters[1], by: name)
        script.add(
            dismissals: [
                Dismissal(kind: .caught, out: batters[0], fielders: [Fielder(name: name, isSubstitute: true)])
            ],
            striker: batters[0],
            nonStriker: batters[1],
            by: name
        )
        for _ in 0..<30 {
            script.add(
                runs: DeliveryRuns(wides: 1),
                isLegal: false,
                striker: batters[2],
                nonStriker: batters[1],
                by: name
            )
        }
        return script
    }

    @Test(arguments: [
        long, String(repeating: "👨‍👩‍👧‍👦", count: 80), String(repeating: "a\u{301}", count: 500),
        "\u{0}\u{1}\u{202e}\n\"\\\"", "",
    ])
    func longNamesAreShortened(name: String) throws {
        var script = longMatch(name)
        for status in MatchStatus.allCases {
            script.status(status, note: name)
            for event in [nil, script.state.moments.first] {
                let content = script.drawnFreely(event: event)
                #expect(ContentStateRenderer.bytes(of: content).count <= 3_500)
                #expect(content.expanded.line.count <= 48 && content.small.line.count <= 24)
                #expect(content.expanded.batters.allSatisfy { $0.name.count <= 24 })
            }
        }
        let attributes = ContentStateRenderer.attributes(
            of: script.info,
            match: try #require(MatchIDs.longest),
            scheme: "score"
        )
        #expect(ContentStateRenderer.bytes(of: attributes).count <= 1_100)
    }

    @Test func theLongestRecordedNamesStayFarBelowTheLimit() {
        let script = longMatch("Wanderers-Kirkby-in-Ashfield XX")
        let content = script.drawn(event: script.state.moments.first { $0.kind == .wicket })
        #expect(ContentStateRenderer.bytes(of: content).count < 1_800)
    }

    @Test func partsAreRemovedInAFixedOrderAndScoresNever() {
        let script = ChaseExample.script
        let replica = script.replica
        let event = replica.state.moments.last { $0.kind == .wicket }
        var full = ContentStateRenderer.render(replica.state, info: script.info, revision: 412, event: event)
        full.expanded.event?.text = String(repeating: "e", count: 120)
        full.expanded.recent = Array(repeating: "1", count: 10)
        full.lockScreen.line = String(repeating: "line ", count: 10)
        var seen: [[Bool]] = []
        for wall in stride(from: ContentStateRenderer.bytes(of: full).count, to: 300, by: -1) {
            let content = ContentStateRenderer.fitted(full, within: wall)
            let signs = [
                content.expanded.event?.text.count == 40,
                content.lockScreen.sub == nil,
                content.expanded.recent.count == 6,
                content.expanded.batters[0].name == "H Pandya",
                content.lockScreen.line.count < full.lockScreen.line.count,
            ]
            if seen.last != signs { seen.append(signs) }
            #expect(content.expanded.teams == full.expanded.teams)
            #expect(content.compactLeading == full.compactLeading && content.small == full.small)
        }
        #expect(seen == (0...5).map { gone in (0..<5).map { $0 < gone } })
    }

    @Test func aCutNeverSplitsACharacter() {
        #expect(Clip.text("Rohit Sharma", 24) == "Rohit Sharma")
        #expect(Clip.text("Rohit Sharma", 6) == "Rohit…")
        #expect(Clip.text("Rohit Sharma", 7) == "Rohit…")
        #expect(Clip.text("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 10) == "👨‍👩‍👧‍👦…")
        #expect(Clip.text("a\nb\u{202e}c", 24) == "a b c")
    }
}

extension MatchScript {
    /// A content state without the checks that a side without a name cannot pass.
    func drawnFreely(event: Moment?) -> ContentState {
        ContentStateRenderer.render(state, info: info, revision: .max, event: event)
    }
}
