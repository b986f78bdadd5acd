// The states of these tests are written as the bytes that phones receive.

import Foundation
import LiveSurface
import MatchEngine
import Providers
import ScoreTypes
import Testing

@testable import SurfaceImages

/// States and attributes.
enum ImageFixtures {
    static let attributes = attributes(first: "Mumbai Indians", second: "Chennai Super Kings")

    static func attributes(
        first: String,
        second: String,
        abbreviations: (String, String) = ("MI", "CSK"),
        colors: (String, String) = ("#004ba0", "#f9cd05")
    ) -> [UInt8] {
        let value = LiveActivityAttributes(
            matchId: "ipl-final",
            teams: [
                .init(id: "a", name: first, abbr: abbreviations.0, color: colors.0),
                .init(id: "b", name: second, abbr: abbreviations.1, color: colors.1),
            ],
            competition: "IPL",
            format: "t20",
            deepLink: "score://match/ipl-final"
        )
        return (try? JSONEncoder().encode(value)).map { Array($0) } ?? []
    }

    /// A wicket in a chase.
    static func chase(text: String? = nil) -> LiveActivityAttributes.ContentState {
        LiveActivityAttributes.ContentState(
            v: 2,
            rev: 412,
            matchDisplayState: .live,
            compactLeading: .init(teamAbbr: text ?? "MI", score: text ?? "87/6"),
            compactTrailing: .init(overs: text ?? "12.3", runRate: "6.96", text: text ?? "83 off 45"),
            minimal: .init(text: text ?? "87/6", flash: "W"),
            expanded: .init(
                teams: [
                    .init(abbr: text ?? "MI", score: text ?? "87/6", overs: text ?? "12.3", batting: true),
                    .init(abbr: text ?? "CSK", score: text ?? "169/9", overs: text ?? "20", batting: false),
                ],
                batters: [
                    .init(name: text ?? "Hardik Pandya", runs: 12, balls: 9, onStrike: true),
                    .init(name: text ?? "Tim David", runs: 3, balls: 4, onStrike: false),
                ],
                bowler: .init(name: text ?? "Jasprit Bumrah", figures: "3/17", overs: "2.3"),
                recent: text.map { [$0] } ?? ["1", "4", ".", "wd", "lb2", "W"],
                line: text ?? "MI need 83 from 45 balls",
                event: .init(kind: "wicket", text: text ?? "Rohit Sharma c Kohli b Bumrah 45(32)")
            ),
            lockScreen: .init(
                line: text ?? "MI need 83 from 45 balls",
                sub: text ?? "Last wicket: Rohit Sharma 45(32)"
            ),
            small: .init(top: text ?? "MI 87/6", bottom: text ?? "CSK 169/9", line: text ?? "need 83 (45)"),
            progress: 0.81
        )
    }

    /// The same match before play, on a break, at its end and in a Test with long scores.
    static var others: [LiveActivityAttributes.ContentState] {
        var scheduled = chase()
        scheduled.matchDisplayState = .scheduled
        (scheduled.compactLeading.score, scheduled.compactTrailing.text) = ("v CSK", "19:30")
        scheduled.expanded = .init(
            teams: [.init(abbr: "MI", score: "", batting: false), .init(abbr: "CSK", score: "", batting: false)],
            line: "Starts at 19:30"
        )
        scheduled.progress = nil
        var tea = chase()
        tea.matchDisplayState = .break
        (tea.compactLeading.score, tea.compactTrailing.text) = ("245 & 487/6d", "Tea")
        tea.expanded.teams[0].score = "245 & 487/6d"
        tea.expanded.teams[1].score = "301 & 123/9"
        tea.expanded.event = nil
        var over = chase()
        over.matchDisplayState = .finished
        (over.compactTrailing.text, over.lockScreen.line) = (
            "won", "Chennai Super Kings won by an innings and 146 runs"
        )
        over.expanded = .init(teams: tea.expanded.teams, line: "CSK won by an innings and 146 runs")
        return [scheduled, tea, over]
    }

    static func bytes(_ state: LiveActivityAttributes.ContentState) -> [UInt8] {
        (try? JSONEncoder().encode(state)).map { Array($0) } ?? []
    }

    static func content(
        _ state: LiveActivityAttributes.ContentState,
        attributes: [UInt8] = attributes,
        alert: SurfaceContent.Alert? = SurfaceContent.Alert(
            title: "Wicket!",
            body: "Rohit Sharma c Kohli b Bumrah 45(32)"
        )
    ) -> SurfaceContent {
        SurfaceContent(bytes(state), attributes: attributes, alert: alert)
    }

    /// Every combination of layout, screen, appearance and condition.
    static func images(of content: SurfaceContent) -> [SurfaceImage] {
        SurfaceLayout.allCases.flatMap { layout in
            SurfaceScreen.allCases.flatMap { screen in
                SurfaceScheme.allCases.flatMap { scheme in
                    SurfaceCondition.allCases.map { condition in
                        let options = SurfaceImageOptions(screen: screen, scheme: scheme, condition: condition)
                        return SurfaceImage.render(content, layout, options)
                    }
                }
            }
        }
    }

    /// The states of the demo's match, as its phones receive them.
    static func demoMatch() throws -> [SurfaceContent] {
        let file = root.appending(path: "docs/demo_match.json")
        let snapshot = try CricsheetAdapter().snapshot(of: CricsheetDocument(json: Array(Data(contentsOf: file))))
        let contents = contents(of: snapshot, match: MatchID(unchecked: "demo")) { Set(0..<$0) }
        return (0..<contents.count).compactMap { contents[$0] }
    }

    /// States of a match, with the alerts of their moments, by the index of their step.
    ///
    /// - Parameters:
    ///   - snapshot: The match at its end.
    ///   - match: Its id in the attributes.
    ///   - choose: The indices of the steps whose states are wanted, from the number of all steps.
    /// - Returns: The wanted states.
    static func contents(
        of snapshot: MatchSnapshot,
        match: MatchID,
        at choose: (Int) -> Set<Int>
    ) -> [Int: SurfaceContent] {
        let attributes = ContentStateRenderer.bytes(
            of: ContentStateRenderer.attributes(of: snapshot.info, match: match, scheme: "score")
        )
        var replica = MatchReplica()
        var announced: Set<MomentKey> = []
        let steps = MatchTimeline(snapshot).steps
        let chosen = choose(steps.count)
        var contents: [Int: SurfaceContent] = [:]
        for (index, changes) in steps.enumerated() {
            replica.apply(changes)
            let moment = Moment.mostImportant(of: replica.state.moments.filter { announced.insert($0.key).inserted })
            guard chosen.contains(index) else { continue }
            let state = ContentStateRenderer.render(
                replica.state,
                info: snapshot.info,
                revision: Int64(index + 1),
                event: moment
            )
            let alert = moment.flatMap { $0.isAlert ? SurfaceContent.Alert(title: $0.title, body: $0.body) : nil }
            contents[index] = SurfaceContent(
                ContentStateRenderer.bytes(of: state),
                attributes: attributes,
                alert: alert
            )
        }
        return contents
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Compares a document with the stored file; the file is written when the environment has WRITE_EXAMPLES.
    static func compare(_ svg: String, with path: String) throws {
        let file = root.appending(path: path)
        if ProcessInfo.processInfo.environment["WRITE_EXAMPLES"] != nil {
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(svg.utf8).write(to: file)
        }
        let stored = try String(contentsOf: file, encoding: .utf8)
        #expect(stored == svg, "make pictures writes \(path)")
    }

    /// The elements that leave their image, and the texts that are wider than their slots.
    static func faults(of image: SurfaceImage) -> [String] {
        let frame = ImageBox(0, 0, image.canvas.size.width, image.canvas.size.height)
        return image.canvas.elements.flatMap { element -> [String] in
            var faults: [String] = []
            if !frame.contains(element.box) { faults.append("\(image.layout) \(element.slot) leaves the image") }
            if let text = element.text, text.width > element.box.width + 0.01 {
                faults.append("\(image.layout) \(element.slot): \(text.text) is wider than its slot")
            }
            if let colors = element.colors, let least = colors.behind.map({ colors.text.contrast(with: $0) }).min(),
                least < SurfaceImageLimits.contrastMin, !image.isDimmed
            {
                faults.append("\(image.layout) \(element.slot): contrast \(least)")
            }
            return faults
        }
    }
}

extension SurfaceImage {
    /// Whether it was drawn for the always-on display, which the system dims by itself.
    fileprivate var isDimmed: Bool { canvas.definitions.contains { $0.contains("always-on") } }
}
