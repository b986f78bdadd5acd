// The pages by which an operator helps one person: devices, one device, activities and streams.

import FollowService
import Foundation
import LiveActivities
import ScoreTypes

extension ConsolePages {
    // MARK: Devices

    /// The search for a device, and what it found.
    func devices(_ query: QueryFields) async throws -> ConsoleView {
        let text = (query["q"] ?? "").filter { $0 != " " }
        let after = try query.integer("after", 0...Int64(Bucket.count - 1)) ?? 0
        var context: [String: Any] = ["search": SafeText.clean(text)]
        if let device = DeviceID(text) {
            let isKnown = try await dependencies.devices.view(of: device) != nil
            context["result"] = Self.result(DeviceSearch(found: isKnown ? [FoundToken(device: device)] : []), text)
        } else if let fingerprint = Fingerprint(text) {
            let search = try await dependencies.devices.search(fingerprint, from: Int16(clamping: after))
            context["result"] = Self.result(search, fingerprint.text)
        } else if !text.isEmpty {
            context["problem"] = "A device has a UUID, a fingerprint twelve hexadecimal digits."
        }
        return ConsoleView(title: "Devices", template: "devices", context: context, isLive: false)
    }

    private static func result(_ search: DeviceSearch, _ text: String) -> [String: Any] {
        var context: [String: Any] = ["devices": search.found.map { ConsoleContext.members($0.json) }]
        if let next = search.next {
            context["next"] = ["bucket": next, "count": Bucket.count, "search": text] as [String: Any]
        }
        return context
    }

    /// One device: what it is, what it may, its tokens, follows and activities; nil when there is none.
    func device(_ text: String) async throws -> ConsoleView? {
        guard let id = DeviceID(text), let view = try await dependencies.devices.view(of: id) else { return nil }
        let detail = view.detail
        var context = ConsoleContext.members(view.json)
        context["facts"] = Self.facts(of: view)
        context["permissions"] = Self.permissions(of: view)
        context["isBlocked"] = detail.blockedAt != nil
        context["isTester"] = detail.testerAt != nil
        context["activities"] = view.activities.map { Self.row($0) }
        context["activeCount"] = view.activities.count { $0.activity.state != .ended }
        let state =
            detail.blockedAt != nil
            ? ("blocked", "bad") : detail.isRevoked ? ("credential revoked", "warn") : ("registered", "good")
        return ConsoleView(title: "Device", template: "device", context: context, state: state)
    }

    private static func facts(of view: DeviceView) -> [[String: Any]] {
        let json = view.json
        func text(_ name: String, _ key: String) -> [String: Any]? {
            ConsoleContext.fact(name, ConsoleContext.text(json, key))
        }
        func time(_ name: String, _ key: String) -> [String: Any]? {
            ConsoleContext.fact(name, at: ConsoleContext.text(json, key))
        }
        return [
            time("Registered", "createdAt"), time("Last seen", "lastSeenAt"),
            time("Last reconcile", "lastReconcileAt"), time("Last receipt", "lastReceiptAt"),
            time("Blocked", "blockedAt"), time("Tester", "testerSince"), text("App", "bundleId"),
            text("Build", "appBuild"), text("System", "platform"), text("Version", "osVersion"),
            text("Model", "model"), text("Time zone", "timeZone"), text("Environment", "environment"),
            ConsoleContext.fact("Content state", "version \(ConsoleContext.number(json, "schemaVersion"))"),
            ConsoleContext.fact("Open streams here", ConsoleContext.grouped(Int64(view.streams))),
            ConsoleContext.fact("Bucket", "\(ConsoleContext.number(json, "bucket"))"),
        ].compactMap { $0 }
    }

    private static func permissions(of view: DeviceView) -> [[String: Any]] {
        let names: KeyValuePairs<String, DeviceAbilities> = [
            "Live Activities": .activities, "Frequent pushes": .frequentPushes, "Notifications": .alerts,
            "Broadcast channels": .channels,
        ]
        return names.map { name, ability in
            let isAllowed = view.detail.device.abilities.contains(ability)
            return ["name": name, "value": isAllowed ? "allowed" : "not allowed", "tone": isAllowed ? "good" : "warn"]
        }
    }

    private static func row(_ view: ActivityView) -> [String: Any] {
        let activity = view.activity
        var row = ConsoleContext.members(view.json)
        row["isEnded"] = activity.state == .ended
        row["tone"] = view.receipt?.isStuck == true ? "bad" : activity.state == .active ? "good" : ""
        row["body"] = String(
            decoding: JSONValue.record(["match": .text(activity.match.text)]).bytes,
            as: UTF8.self
        )
        row["way"] = row["channel"].map { "channel \($0)" } ?? row["token"].map { "token \($0)" } ?? "–"
        return row
    }

    // MARK: Activities

    /// The stuck activities, or those of a match or a device.
    func activities(_ query: QueryFields) async throws -> ConsoleView {
        let list = try ActivityList(query)
        let states = ["stuck", "active", "ending", "ended", "all"]
        let (match, device) = (query["match"] ?? "", query["device"] ?? "")
        let chosen = query["state"] ?? (device.isEmpty ? "stuck" : "all")
        let kept = [("match", match), ("device", device)].filter { !$0.1.isEmpty }.map { "&\($0)=\($1)" }.joined()
        var context: [String: Any] = [
            "match": match, "device": device, "state": chosen,
            "filters": states.map { state -> [String: Any] in
                ["name": state, "query": "state=\(state)\(kept)", "isCurrent": state == chosen]
            },
        ]
        let limit = Int(ServerLimits.activitiesPerPage)
        switch list.subject {
        case .stuck(let match, let after):
            let page = dependencies.stuck.stuck(of: match, after: after, limit: limit)
            context["stuck"] = ["rows": page.map { ConsoleContext.members($0.json) }]
            if page.count == limit { context["next"] = page.last.map { "state=stuck\(kept)&after=\($0.fingerprint)" } }
        case .listed(let choice, let cursor):
            let page = try await dependencies.devices.activities(choice, after: cursor, limit: limit)
            let empty = page.next == nil ? "No activity fits." : "None of these activities fits."
            context["listed"] = ["rows": page.activities.map { Self.row($0) }, "empty": empty] as [String: Any]
            context["next"] = page.next.map { "state=\(chosen)\(kept)&after=\($0.text)" }
        }
        let count = dependencies.stuck.stuckCount
        let state = count == 0 ? ("none stuck", "good") : ("\(count) stuck", "warn")
        return ConsoleView(title: "Activities", template: "activities", context: context, state: state)
    }

    // MARK: Streams

    /// The open streams of this node that fit a choice, and the order to end them on every node.
    func streams(_ query: QueryFields) async throws -> ConsoleView {
        let choice = try StreamChoice(query)
        let after = try query.integer("after", 0...Int64.max) ?? 0
        let all = try await dependencies.streams.streams(choice)
        let rest = all.filter { $0.id.number > UInt64(after) }
        let page = rest.prefix(ServerLimits.consoleRows)
        var context: [String: Any] = [
            "match": choice.match?.text ?? "",
            "build": choice.build ?? "", "age": choice.olderThan.map { "\($0)" } ?? "",
            "node": dependencies.facts.id.text, "count": ConsoleContext.grouped(Int64(all.count)),
            "rows": page.map { stream -> [String: Any] in
                var row = ConsoleContext.members(stream.json)
                row["matches"] = stream.stream.matches.map(\.text)
                return row
            },
        ]
        // Absent without a choice: a row without a device would show it as an empty link.
        context["device"] = choice.device?.description
        if page.count < rest.count { context["next"] = page.last.map { Self.query(choice, after: $0.id) } }
        if !choice.isEmpty {
            let body = JSONValue.record([
                "filter": choice.json, "reconnectAfterMs": .integer(ServerLimits.streamSpread),
            ])
            context["order"] = ["body": String(decoding: body.bytes, as: UTF8.self)]
        }
        return ConsoleView(
            title: "Streams",
            template: "streams",
            context: context,
            state: ("\(dependencies.hub.connectionCount) on this node", "")
        )
    }

    private static func query(_ choice: StreamChoice, after id: StreamID) -> String {
        let conditions = (choice.json.asMembers ?? []).compactMap { member -> String? in
            guard let value = ConsoleContext.value(member.value) else { return nil }
            let text = "\(value)".addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            return "\(member.name)=\(text)"
        }
        return (conditions + ["after=\(id.number)"]).joined(separator: "&")
    }
}
