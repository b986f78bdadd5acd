// How long alerts wait for each feed, what that costs, and which of them were taken back.

import MatchJournal
import ScoreTypes

extension ConsolePages {
    /// The waits of all feeds with their curves, and the revoked alerts.
    func alerts() async throws -> ConsoleView {
        let feeds = dependencies.alerts.confirmations().map { feed -> [String: Any] in
            [
                "id": feed.feed.text, "target": ConsoleContext.grouped(Int64((1 / feed.target).rounded())),
                "kinds": feed.kinds.map { Self.row(of: $0, in: feed) },
            ]
        }
        let page = try await dependencies.alerts.revoked(before: nil, limit: ServerLimits.revokedAlertsShown)
        let revoked = page.alerts.map(Self.row)
        return ConsoleView(title: "Alerts", template: "alerts", context: ["feeds": feeds, "revoked": revoked])
    }

    private static func row(of kind: FeedConfirmation.Kind, in feed: FeedConfirmation) -> [String: Any] {
        let shares = feed.shares(of: kind)
        let misses = kind.curve.missesTarget(feed.target)
        let share = shares[min(kind.wait, shares.count - 1)]
        return [
            "kind": kind.kind.rawValue.split(separator: "_").joined(separator: " "),
            "wait": kind.wait, "reported": ConsoleContext.grouped(Int64(kind.curve.reported)),
            "wrong": ConsoleContext.grouped(Int64(kind.curve.wrong.reduce(0, +))),
            "late": ConsoleContext.grouped(Int64(kind.curve.late)),
            "share": share > 0 ? "1 in \(ConsoleContext.grouped(Int64((1 / share).rounded())))" : "none",
            "tone": misses ? "bad" : "", "misses": misses, "curve": FalseShareCurve(shares, wait: kind.wait).context,
        ]
    }

    private static func row(_ stored: StoredRevokedAlert) -> [String: Any] {
        let moment = stored.alert.moment
        return [
            "at": stored.at.rfc3339, "match": stored.alert.match.text, "feed": stored.alert.feed.text,
            "title": moment.title, "body": moment.body,
            "by": moment.confirmedBy.rawValue.split(separator: "_").joined(separator: " "),
            "waited": moment.waited, "last": moment.lastReportedAt,
        ]
    }
}

/// The curve of false alerts over the wait, on a scale on which each line is a tenth of the one above.
struct FalseShareCurve {
    /// The drawing's size in its own units, 4 for a second.
    private static let (step, height) = (4, 40)
    /// Powers of ten that are drawn: from all alerts to one in a hundred thousand.
    private static let decades = 5.0

    private let shares: [Double]
    private let wait: Int

    init(_ shares: [Double], wait: Int) { (self.shares, self.wait) = (shares, wait) }

    private func level(_ share: Double) -> Int {
        var (decades, rest) = (0.0, max(share, 0.000_01))
        while rest < 0.1 {
            rest *= 10
            decades += 1
        }
        // Inside of a power of ten the scale is linear, which the eye does not miss on forty units.
        decades += 1 - (rest - 0.1) / 0.9
        return Int((min(decades, Self.decades) / Self.decades * Double(Self.height)).rounded())
    }

    /// Points of the line, and the point of today's wait.
    var context: [String: Any] {
        let points = shares.enumerated().map { "\($0.offset * Self.step),\(level($0.element))" }
        return [
            "points": points.joined(separator: " "), "x": wait * Self.step,
            "y": level(shares[min(wait, shares.count - 1)]), "width": (shares.count - 1) * Self.step,
            "height": Self.height,
        ]
    }
}
