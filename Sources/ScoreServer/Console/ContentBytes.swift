// A push has 4,096 bytes for all layouts together, so an operator sees which layout needs them.

import ScoreTypes
import SurfaceImages

/// The bytes of a content state by the layout that draws them, with the faults of each.
struct ContentBytes {
    /// The members of a content state, with the layouts that draw them.
    private static let sections: [(member: String, title: String, layouts: [SurfaceLayout])] = [
        ("compactLeading", "Compact, leading", [.compact]),
        ("compactTrailing", "Compact, trailing", []),
        ("minimal", "Minimal", [.minimal, .minimalDetached]),
        ("expanded", "Expanded, and the card's scores", [.expanded]),
        ("lockScreen", "Lock Screen", [.lockScreen, .standby]),
        ("small", "Watch and CarPlay", [.watch41, .watch45, .watch49, .carPlay, .carPlayTall, .carPlayNarrow]),
    ]

    private let content: JSONValue
    private let findings: [SurfaceLayout: [SurfaceFinding]]

    /// Draws every layout of a content state once.
    init(_ content: JSONValue, of surface: SurfaceContent) {
        self.content = content
        findings = Dictionary(
            uniqueKeysWithValues: SurfaceLayout.allCases.filter { $0 != .banner }.map {
                ($0, SurfaceImage.render(surface, $0).findings)
            }
        )
    }

    /// The rows of the meter: the layouts, then everything else.
    var context: [[String: Any]] {
        let members = content.asMembers ?? []
        var rest = content.bytes.count
        var rows = Self.sections.map { section -> [String: Any] in
            let bytes = members.first { $0.name == section.member }.map { $0.value.bytes.count } ?? 0
            rest -= bytes
            return row(section.title, bytes, section.layouts.flatMap { findings[$0] ?? [] })
        }
        rows.append(row("Names, revision and the rest", max(0, rest), []))
        return rows
    }

    private func row(_ title: String, _ bytes: Int, _ findings: [SurfaceFinding]) -> [String: Any] {
        var messages: [String] = []
        for finding in findings where !messages.contains(finding.message) { messages.append(finding.message) }
        return ["title": title, "bytes": bytes, "findings": messages, "isCut": !messages.isEmpty]
    }
}
