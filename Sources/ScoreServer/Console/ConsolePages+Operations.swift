// The pages about the operation of nodes: sweeps, nodes, switches and settings.

import FollowService
import Postgres
import ScoreTypes

extension ConsolePages {
    /// Each sweep with its schedule, its holder and its newest runs.
    func sweeps() async throws -> ConsoleView {
        let states = try await dependencies.sweeps.status()
        let failing = states.filter { $0.failuresInARow > 0 }.map(\.kind.rawValue)
        return ConsoleView(
            title: "Sweeps",
            template: "sweeps",
            context: ["sweeps": states.map(Self.row)],
            state: failing.isEmpty ? ("running", "good") : ("failing: \(failing.joined(separator: ", "))", "bad")
        )
    }

    private static func row(of state: SweepStatus) -> [String: Any] {
        let isFailing = state.failuresInARow > 0
        let tones = ["done": "good", "failed": "bad", "running": ""]
        return [
            "kind": state.kind.rawValue, "purpose": state.kind.purpose,
            "state": isFailing
                ? "failures in a row: \(state.failuresInARow)" : state.runs.isEmpty ? "not run yet" : "running",
            "tone": isFailing ? "bad" : state.runs.isEmpty ? "" : "good",
            "facts": [
                ConsoleContext.fact("Every", "\(state.interval.components.seconds) s"),
                ConsoleContext.fact("Next run", at: state.nextAt?.rfc3339),
                ConsoleContext.fact("Last success", at: state.lastSuccess?.rfc3339),
                ConsoleContext.fact("Lease", state.holder?.text ?? "free"),
            ].compactMap { $0 },
            "runs": state.runs.prefix(ServerLimits.consoleSweepRuns).map { run -> [String: Any] in
                var row = ConsoleContext.members(run.json)
                row["tone"] = tones[run.state] ?? ""
                return row
            },
        ]
    }

    /// All nodes with what each of them does.
    func nodes() async throws -> ConsoleView {
        let nodes = try await dependencies.nodes.nodes()
        let ready = nodes.count { $0.state == "ready" }
        let tones = ["ready": "good", "dead": "bad", "draining": "warn", "drained": "warn"]
        let rows = nodes.map { node -> [String: Any] in
            var row: [String: Any] = [
                "id": node.node.text, "state": node.state, "tone": tones[node.state] ?? "",
                "isHere": node.node == dependencies.facts.id, "isAlive": node.isAlive,
                "isDrained": node.drain != nil,
                "facts": [
                    ConsoleContext.fact("Since", at: node.since.rfc3339),
                    ConsoleContext.fact("Version", node.version.unlessEmpty),
                    ConsoleContext.fact("Term", node.term.description),
                    ConsoleContext.fact(node.isAlive ? "Term ends" : "Died", at: node.expiresAt.rfc3339),
                    ConsoleContext.fact("Buckets", ConsoleContext.grouped(Int64(node.buckets))),
                    ConsoleContext.fact(
                        "Streams",
                        ConsoleContext.grouped(Int64(node.isAlive ? node.report.streams : 0))
                    ),
                ].compactMap { $0 },
            ]
            if !node.leases.isEmpty { row["leases"] = ["list": node.leases] }
            if let drain = node.drain { row["drain"] = drain.at.rfc3339 }
            return row
        }
        return ConsoleView(
            title: "Nodes",
            template: "nodes",
            context: ["nodes": rows],
            state: ("\(ready) of \(nodes.count) ready", ready == 0 ? "bad" : ready < nodes.count ? "warn" : "good")
        )
    }

    /// The switches with their values and their acts.
    func flags() async throws -> ConsoleView {
        let (flags, now) = (try await dependencies.flags.all(), clock.wall)
        let rows = FlagName.allCases.map { name -> [String: Any] in
            let value = flags.value(name, at: now)
            let flag = flags.flags[name].flatMap { ($0.expiresAt ?? now + .seconds(1)) > now ? $0 : nil }
            let isChanged = value != name.defaultValue
            var row: [String: Any] = [
                "name": name.rawValue, "purpose": name.purpose, "value": Self.text(value),
                "tone": isChanged ? "warn" : "good", "revision": flags.flags[name]?.revision ?? 0,
                "acts": acts(name, isChanged: isChanged),
            ]
            switch name.defaultValue {
            case .integer: row["form"] = ["isNumber": true, "name": name.rawValue] as [String: Any]
            case .text: row["form"] = ["isText": true, "name": name.rawValue] as [String: Any]
            default: break
            }
            if isChanged, let flag {
                row["change"] = ["by": flag.changedBy, "reason": flag.reason, "at": flag.changedAt.rfc3339]
            }
            if isChanged { row["until"] = flag?.expiresAt?.rfc3339 }
            return row
        }
        let changed = FlagName.allCases.filter { flags.value($0, at: now) != $0.defaultValue }.map(\.rawValue)
        return ConsoleView(
            title: "Switches",
            template: "flags",
            context: ["flags": rows],
            state: changed.isEmpty ? ("all at their defaults", "good") : ("changed: \(changed.count)", "warn")
        )
    }

    /// The buttons of a switch: those of a value of yes or no, and the one that sets it back; others have a form.
    private func acts(_ name: FlagName, isChanged: Bool) -> [[String: Any]] {
        func act(_ title: String, _ value: JSONValue, _ effect: String, seconds: Int64? = nil) -> [String: Any] {
            let body = JSONValue.record(["value": value, "ttlSeconds": seconds.map { .integer($0) }])
            return [
                "title": title, "effect": effect, "body": String(decoding: body.bytes, as: UTF8.self),
                "flag": name.rawValue,
            ]
        }
        if isChanged { return [act("Set back", name.defaultValue, "The default applies again on every node.")] }
        guard name.defaultValue == .bool(true) else { return [] }
        return [
            act("Off for an hour", .bool(false), "\(name.purpose) It is on again after an hour.", seconds: 3600),
            act("Off", .bool(false), "\(name.purpose) It stays off until it is set back."),
        ]
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .bool(let isOn): isOn ? "on" : "off"
        case .text(let text): text.isEmpty ? "none" : text
        default: String(decoding: value.bytes, as: UTF8.self)
        }
    }

    /// The settings that this node uses, those that are not at their default first.
    func configuration() -> ConsoleView {
        let settings = dependencies.facts.settings
        let rows = settings.filter { $0.source != .default } + settings.filter { $0.source == .default }
        let changed = settings.count { $0.source != .default }
        return ConsoleView(
            title: "Settings",
            template: "configuration",
            context: [
                "node": dependencies.facts.id.text,
                "settings": rows.map { setting -> [String: Any] in
                    [
                        "name": setting.key.name, "variable": setting.key.environmentName, "value": setting.shown,
                        "source": setting.source.rawValue, "doc": setting.key.doc,
                        "tone": setting.source == .default ? "" : "good",
                    ]
                },
            ],
            state: ("\(changed) of \(settings.count) set", ""),
            isLive: false
        )
    }
}

extension FlagName {
    /// The effect of its change, in one sentence for operators.
    var purpose: String {
        switch self {
        case .pushToStart: "Off: no activity is started, renewed or started again by push."
        case .sandbox: "Off: nothing is sent to the sandbox of APNs."
        case .production: "Off: nothing is sent to the production environment of APNs."
        case .streams: "Off: open streams end, and apps poll."
        case .minimumBuild: "The lowest build of the app that may run."
        case .banner: "A text that apps show."
        }
    }
}
