// Pages show documents of the admin API; this file has the pages about the whole node.

import Foundation
import MatchEngine
import MatchJournal
import ScoreIngest
import ScoreTypes
import SurfaceImages

/// Reads what pages show.
struct ConsolePages: Sendable {
    let dependencies: InternalDependencies
    /// The bytes of drawn revisions.
    let contents: PublishedContents
    let clock: ServiceClock

    /// Readiness, figures, the matches in play and the feeds.
    func overview() async -> ConsoleView {
        let pipeline = await dependencies.pipeline()
        let checks = await dependencies.health.checks()
        let views = dependencies.matches.views()
        let streams = dependencies.hub.watcherCounts
        let live = views.filter { $0.phase == .live || $0.phase == .onBreak }
            .sorted {
                ($0.phase == .live ? 0 : 1, $1.publication.committedAt) < (
                    $1.phase == .live ? 0 : 1, $0.publication.committedAt
                )
            }
        let bad = checks.filter { !$0.isHealthy }.map(\.name)
        var context: [String: Any] = [
            "checks": checks.map { check -> [String: Any] in
                var row: [String: Any] = [
                    "name": Self.subjects[check.name] ?? check.name,
                    "tone": check.isHealthy ? "good" : check.isHard ? "bad" : "warn",
                ]
                row["detail"] = check.detail
                return row
            },
            "figures": figures(pipeline, live: live.count, matches: views.count),
            "matches": live.prefix(ServerLimits.consoleCards).map { view -> [String: Any] in
                var card = MatchCard(view: view, streams: streams[view.match] ?? 0).context
                if live.count <= ServerLimits.consolePictures {
                    card["picture"] = Self.picture(of: view.match, at: view.revision.number, .lockScreen)
                }
                return card
            },
            "count": views.count, "isFew": live.count <= ServerLimits.consolePictures,
        ]
        if live.count == 1, let view = live.first {
            var hero = MatchCard(view: view, streams: streams[view.match] ?? 0).board
            hero["phones"] = Self.phones(of: view)
            context["hero"] = hero
        }
        context["feeds"] = await feedRows()
        context["rejections"] = refusals(ServerLimits.consoleRefusals)
        return ConsoleView(
            title: "Overview",
            template: "overview",
            context: context,
            state: bad.isEmpty ? ("ready", "good") : ("not healthy: \(bad.joined(separator: ", "))", "bad")
        )
    }

    /// The subjects of the readiness checks, in words.
    private static let subjects = [
        "db": "database", "term": "node's lease", "recovery": "matches loaded", "feed": "feeds",
        "channels": "broadcast channels", "drain": "accepting traffic",
    ]

    private func figures(_ pipeline: JSONValue, live: Int, matches: Int) -> [[String: Any]] {
        let arenas = pipeline.member("arenas")
        let environments = pipeline.member("dispatcher")?.member("environments")?.asElements ?? []
        func sum(_ name: String) -> Int64 { environments.reduce(0) { $0 &+ ConsoleContext.number($1, name) } }
        let refused = sum("rejected") &+ sum("failed") &+ sum("expired")
        let stuck = ConsoleContext.number(pipeline, "activitiesStuck")
        func figure(_ name: String, _ value: Int64, _ note: String, _ path: String, tone: String = "") -> [String: Any]
        {
            [
                "name": name, "value": ConsoleContext.grouped(value), "note": note, "path": path, "tone": tone,
                "isTotal": false,
            ]
        }
        var accepted = figure("Pushes accepted", sum("accepted"), "since this node started", "/admin/push")
        accepted["isTotal"] = true
        accepted["raw"] = sum("accepted")
        return [
            figure("Matches in play", Int64(live), "of \(matches) known", "/admin/matches"),
            figure("Activity tokens", ConsoleContext.number(arenas, "tokens"), "in memory", "/admin/push"),
            accepted,
            figure(
                "Not accepted",
                refused,
                "rejected, failed or expired",
                "/admin/push",
                tone: refused > 0 ? "warn" : ""
            ),
            figure("Live streams", Int64(dependencies.hub.connectionCount), "on this node", "/admin/streams"),
            figure(
                "Stuck activities",
                stuck,
                stuck == 0 ? "every phone follows" : "accepted, not shown",
                "/admin/activities",
                tone: stuck > 0 ? "warn" : "good"
            ),
        ]
    }

    /// All feeds with their figures and acts.
    func feeds() async -> ConsoleView {
        let feeds = await dependencies.feeds.feeds().map { feed -> [String: Any] in
            let detail = feed.json.member("detail")
            var row = Self.row(of: feed)
            row["isPaused"] = feed.pausedReason != nil
            row["reason"] = feed.pausedReason
            row["facts"] = [
                ConsoleContext.fact("Last reply", at: feed.status.lastSuccess?.rfc3339),
                ConsoleContext.fact("Last notice", at: feed.status.lastNotice?.rfc3339),
                ConsoleContext.fact("Interval", row["interval"] as? String),
                ConsoleContext.fact("Requests", ConsoleContext.grouped(Int64(feed.status.requests))),
                ConsoleContext.fact("Bytes", ConsoleContext.grouped(Int64(feed.status.bytes))),
                ConsoleContext.fact("Failures in a row", "\(feed.status.consecutiveFailures)"),
                ConsoleContext.fact("Unreadable replies", "\(feed.status.unreadable)"),
                ConsoleContext.fact("Replies held or dropped", "\(feed.status.notAccepted)"),
                ConsoleContext.fact("Put off by the budget", "\(feed.status.overBudget)"),
                ConsoleContext.fact("Last failure", ConsoleContext.text(detail, "lastFailure")),
                ConsoleContext.fact("Announced matches", "\(feed.status.upcoming)"),
            ].compactMap { $0 }
            if !feed.status.matches.isEmpty { row["matches"] = ["list": feed.status.matches.prefix(40).map(\.text)] }
            return row
        }
        return ConsoleView(title: "Feeds", template: "feeds", context: ["feeds": feeds])
    }

    private func feedRows() async -> [[String: Any]] { await dependencies.feeds.feeds().map(Self.row) }

    private static func row(of feed: FeedView) -> [String: Any] {
        var row: [String: Any] = [
            "id": feed.status.feed.text, "provider": feed.provider, "state": feed.state,
            "tone": ["polling": "good", "failing": "bad", "paused": "warn"][feed.state] ?? "",
            "interval": feed.status.pollInterval.map { "\($0.milliseconds) ms" } ?? "–",
            "failures": feed.status.consecutiveFailures,
        ]
        row["last"] = feed.status.lastSuccess?.rfc3339
        return row
    }

    /// The acts of a filter, newest first.
    func audit(_ filter: AuditFilter) async throws -> ConsoleView {
        let page = try await dependencies.store.audit(filter)
        let report = try await dependencies.store.verifyAudit(after: page.rows.last?.number)
        var context: [String: Any] = [
            "empty": page.next == nil ? "No act was recorded yet." : "None of these acts fits.",
            "rows": page.rows.map { row -> [String: Any] in
                let tones = ["done": "good", "failed": "bad", "denied": "bad", "intended": ""]
                let json = row.json
                // A dry run has changed nothing, and the console makes one before each act.
                let isDryRun = json.member("detail")?.member("dryRun") == .bool(true) && row.texts.outcome == "done"
                var context = ConsoleContext.members(json)
                context["tone"] = isDryRun ? "" : tones[row.texts.outcome] ?? ""
                if isDryRun { context["outcome"] = "dry run" }
                return context
            },
        ]
        context["next"] = page.next.map { Self.query(filter, before: $0) }
        let state = report.isIntact ? ("chain is whole", "good") : ("chain is broken", "bad")
        return ConsoleView(title: "Audit log", template: "audit", context: context, state: state)
    }

    private static func query(_ filter: AuditFilter, before number: Int64) -> String {
        let texts = [("actor", filter.actor), ("action", filter.action), ("target", filter.target)]
        let pairs = texts.compactMap { name, text in
            text?.addingPercentEncoding(withAllowedCharacters: .alphanumerics).map { "\(name)=\($0)" }
        }
        return (pairs + ["before=\(number)"]).joined(separator: "&")
    }
}
