// Three states of a hundred recorded matches: formats, long names, The Hundred, Tests, super overs, lost bytes.

import Foundation
import LiveSurface
import MatchEngine
import Providers
import ScoreTypes
import TestSupport
import Testing

@testable import SurfaceImages

@Suite struct RecordedImagesTests {
    /// A state that is drawn, by the match and its revision.
    private struct Drawn {
        let name: String
        let format: String
        let content: SurfaceContent
    }

    /// The states; every twentieth one is a push that phones cannot read.
    private static func states() throws -> [Drawn] {
        var drawn: [Drawn] = []
        for (id, url) in try MatchArchive.special.files().prefix(100) {
            let snapshot = try CricsheetAdapter().snapshot(of: CricsheetDocument(json: Array(Data(contentsOf: url))))
            var chosen: Set<Int> = []
            let contents = ImageFixtures.contents(of: snapshot, match: try #require(MatchID(id))) { count in
                chosen = [count / 3, count * 2 / 3, count - 1]
                return chosen.union(chosen.map { max(0, $0 - 1) })
            }
            for index in chosen.sorted() {
                var content = try #require(contents[index])
                let isLost = drawn.count.isMultiple(of: 20)
                if isLost {
                    content = SurfaceContent(
                        Array(content.bytes.prefix(content.byteCount / 2)),
                        attributes: try content.attributes.map { Array(try JSONEncoder().encode($0)) },
                        kept: contents[max(0, index - 1)]?.bytes
                    )
                }
                let situation = isLost ? "undecodable" : contents[index]?.state?.matchDisplayState.rawValue ?? ""
                drawn.append(
                    Drawn(
                        name: "\(id) \(index + 1) \(situation)",
                        format: "\(snapshot.info.format)",
                        content: content
                    )
                )
            }
        }
        return drawn
    }

    @Test(.needsRecordedMatches) func theImagesOfRecordedStatesStayInTheirSlotsAndLookAsBefore() throws {
        let states = try Self.states()
        #expect(states.count >= 280)
        #expect(Set(states.map(\.format)).count >= 4, "\(Set(states.map(\.format)).sorted())")
        var lines: [String] = []
        for state in states {
            #expect((state.content.undecodable != nil) == state.name.hasSuffix("undecodable"), "\(state.name)")
            var hash = FNV1a()
            for layout in SurfaceLayout.allCases {
                let image = SurfaceImage.render(state.content, layout)
                #expect(ImageFixtures.faults(of: image) == [], "\(state.name)")
                hash.add(image.svg.utf8)
            }
            for phone in SurfacePhone.allCases {
                let svg = phone.svg(state.content)
                try SurfaceImageTests.check(svg)
                hash.add(svg.utf8)
            }
            lines.append("\(state.name) \(state.format) \(hash.value)")
        }
        try ImageFixtures.compare(
            lines.joined(separator: "\n") + "\n",
            with: "Tests/SurfaceImagesTests/Recorded/images.txt"
        )
        try Self.writeSheet(states)
    }

    /// Writes the contact sheet of the states to the file that the environment names.
    private static func writeSheet(_ states: [Drawn]) throws {
        guard let path = ProcessInfo.processInfo.environment["CONTACT_SHEET"] else { return }
        for (number, start) in stride(from: 0, to: states.count, by: 50).enumerated() {
            let rows = states[start..<min(start + 50, states.count)].map {
                SurfaceSheet.mainLayouts(of: $0.content, title: "\($0.name), \($0.format)", SurfaceImageOptions())
            }
            try Data(SurfaceSheet(rows).svg.utf8).write(to: URL(filePath: "\(path)-\(number).svg"))
        }
    }
}
