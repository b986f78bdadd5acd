// Pages show documents of the admin API; this file has the pages about the whole node.

import LiveActivities
import MatchEngine
import MatchJournal
import ScoreIngest
import ScoreTypes

/// Reads what pages show.
struct ConsolePages: Sendable {
    let dependencies: InternalDependencies

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
            "matches": live.prefix(ServerLimits.consoleCards).map {
                MatchCard(view: $0, streams: streams[$0.match] ?? 0).context
            },
            "count": views.count,
        ]
        context["feeds"] = await feedRows()
        context["rejections"] = Array(rejections(pipeline).prefix(6))
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
            figure("Live streams", Int64(dependencies.hub.connectionCount), "on this node", "/admin/matches"),
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

    /// The connections to APNs, the fan-out of each match and what APNs rejected.
    func push() async -> ConsoleView {
        let pipeline = await dependencies.pipeline()
        let dispatcher = pipeline.member("dispatcher")
        let matches = (dispatcher?.member("matches")?.asElements ?? []).map { match -> [String: Any] in
            [
                "match": ConsoleContext.text(match, "matchId") ?? "",
                "revision": ConsoleContext.number(match, "revision"),
                "waiting": match.member("waitingRevision").flatMap(ConsoleContext.value) ?? "–",
                "buckets": ConsoleContext.number(match, "bucketsServed"),
                "current": ConsoleContext.number(match, "bucketsCurrent"),
                "superseded": ConsoleContext.grouped(ConsoleContext.number(match, "superseded")),
                "unchanged": ConsoleContext.grouped(ConsoleContext.number(match, "unchanged")),
            ]
        }
        let environments = (dispatcher?.member("environments")?.asElements ?? []).map(Self.environment)
        let context: [String: Any] = [
            "environments": environments, "matches": matches, "rejections": rejections(pipeline),
        ]
        return ConsoleView(title: "Push pipeline", template: "push", context: context)
    }

    private static func environment(_ json: JSONValue) -> [String: Any] {
        let isPaused = json.member("paused") == .bool(true)
        let isBroken = ConsoleContext.number(json, "breakersOpen") > 0
        var row: [String: Any] = [
            "name": ConsoleContext.text(json, "environment") ?? "",
            "state": isPaused ? "paused" : isBroken ? "breaker open" : "sending",
            "tone": isPaused ? "warn" : isBroken ? "bad" : "good",
        ]
        row["problem"] = ConsoleContext.text(json, "problem")
        let names: KeyValuePairs = [
            "Accepted": "accepted", "Rejected": "rejected", "Failed": "failed", "Expired": "expired",
            "Open connections": "connectionsOpen", "Open requests": "streamsInUse",
            "Allowed requests": "streamsAllowed",
            "Waiting for single devices": "directedWaiting", "Waiting for another try": "retriesWaiting",
            "Age of the provider token in seconds": "providerTokenAgeSeconds", "Tokens minted": "providerTokensMinted",
        ]
        row["facts"] = names.compactMap { name, key in
            ConsoleContext.fact(name, ConsoleContext.grouped(ConsoleContext.number(json, key)))
        }
        return row
    }

    private func rejections(_ pipeline: JSONValue) -> [[String: Any]] {
        (pipeline.member("dispatcher")?.member("recentRejections")?.asElements ?? []).map { rejection in
            var row = ConsoleContext.members(rejection)
            row["match"] = ConsoleContext.text(rejection, "matchId")
            row["at"] = Instant(milliseconds: ConsoleContext.number(rejection, "atMs")).rfc3339
            return row
        }
    }

    /// The activities that do not show what APNs accepted.
    func activities() -> ConsoleView {
        let page = dependencies.stuck.stuck(of: nil, after: "", limit: Int(ServerLimits.stuckActivitiesPerPage))
        let rows = page.map { activity -> [String: Any] in
            var row: [String: Any] = [
                "activity": activity.fingerprint, "device": activity.device.description, "match": activity.match.text,
                "shown": activity.shown, "accepted": activity.accepted, "since": activity.since.rfc3339,
                "reported": activity.reportedAt.rfc3339,
            ]
            row["restarted"] = activity.restartedAt?.rfc3339
            return row
        }
        let count = dependencies.stuck.stuckCount
        let state = count == 0 ? ("none stuck", "good") : ("\(count) stuck", "warn")
        return ConsoleView(title: "Activities", template: "activities", context: ["activities": rows], state: state)
    }

    /// The acts of a filter, newest first.
    func audit(_ filter: AuditFilter) async throws -> ConsoleView {
        let rows = try await dependencies.store.audit(filter)
        let report = try await dependencies.store.verifyAudit(after: rows.last?.number)
        var context: [String: Any] = [
            "rows": rows.map { row -> [String: Any] in
                let tones = ["done": "good", "failed": "bad", "denied": "bad", "intended": ""]
                return ConsoleContext.members(row.json).merging(["tone": tones[row.texts.outcome] ?? ""]) { $1 }
            }
        ]
        if rows.count == filter.limit { context["next"] = rows.last?.number }
        let state = report.isIntact ? ("chain is whole", "good") : ("chain is broken", "bad")
        return ConsoleView(title: "Audit log", template: "audit", context: context, state: state)
    }
}
