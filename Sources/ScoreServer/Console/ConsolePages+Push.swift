// The pages about pushes: what waits, the environments of APNs, single pushes, and what was given up.

import PushDispatcher
import ScoreTypes

extension ConsolePages {
    /// The queues, and the fan-out of each match.
    func push() async -> ConsoleView {
        let status = await dependencies.push.status()
        let matches = (status?.matches ?? []).map { match -> [String: Any] in
            [
                "match": match.match.text, "revision": match.revision ?? 0,
                "waiting": match.waitingRevision.map { "\($0)" } ?? "–", "buckets": match.bucketsServed,
                "current": match.bucketsCurrent, "superseded": ConsoleContext.grouped(Int64(match.superseded)),
                "unchanged": ConsoleContext.grouped(Int64(match.unchanged)),
            ]
        }
        let context: [String: Any] = [
            "queues": (status?.queues ?? []).map(Self.queue), "matches": matches,
            "isSilent": status == nil,
        ]
        return ConsoleView(title: "Push pipeline", template: "push", context: context)
    }

    private static func queue(_ json: JSONValue) -> [String: Any] {
        let name = ConsoleContext.text(json, "queue") ?? ""
        var row: [String: Any] = [
            "id": "\(name)-\(ConsoleContext.text(json, "environment") ?? "all")", "name": queueNames[name] ?? name,
            "environment": ConsoleContext.text(json, "environment") ?? "both",
            "waiting": ConsoleContext.grouped(ConsoleContext.number(json, "waiting")),
            "retrying": ConsoleContext.grouped(ConsoleContext.number(json, "retrying")),
        ]
        if let limit = json.member("limit"), case .integer(let count) = limit {
            row["limit"] = ConsoleContext.grouped(count)
        }
        if let oldest = json.member("oldestMs"), case .integer(let age) = oldest {
            row["oldest"] = "\(ConsoleContext.grouped(age)) ms"
        }
        row["classes"] = (json.member("byClass")?.asMembers ?? []).compactMap { member -> String? in
            guard case .integer(let count) = member.value, count > 0 else { return nil }
            return "\(member.name) \(count)"
        }.joined(separator: ", ")
        return row
    }

    /// The names of queues, in words.
    private static let queueNames = [
        "broadcasts": "Broadcasts to channels", "notifications": "Notifications", "lifecycle": "Starts, ends, widgets",
        "retries": "Tokens that wait for another try", "publications": "States that wait for their time",
        "plannedStarts": "Planned starts", "repeatedEnds": "Ends to be repeated",
    ]

    /// The environments of APNs with their switches and acts.
    func apns() async throws -> ConsoleView {
        let routes = APNsRoutes(control: dependencies.push, flags: dependencies.flags, clock: clock)
        let environments = try await routes.environments()
        let broken = environments.filter { Self.state(of: $0).tone != "good" }
        let state: (text: String, tone: String) = broken.first.map(Self.state) ?? ("sending", "good")
        return ConsoleView(
            title: "APNs",
            template: "apns",
            context: ["environments": environments.map(Self.environment)],
            state: environments.isEmpty ? nil : state
        )
    }

    private static func state(of json: JSONValue) -> (text: String, tone: String) {
        if json.member("on") == .bool(false) { return ("switched off", "warn") }
        let isBroken = ConsoleContext.text(json, "breaker") != "closed" || json.member("problem") != nil
        return isBroken ? ("not sending", "bad") : ("sending", "good")
    }

    private static func environment(_ json: JSONValue) -> [String: Any] {
        var row = ConsoleContext.members(json)
        let (state, change) = (Self.state(of: json), json.member("switch"))
        (row["state"], row["tone"]) = (state.text, state.tone)
        func count(_ group: String, _ name: String) -> Int64 { ConsoleContext.number(json.member(group), name) }
        let times = json.member("roundTripMs")?.asMembers ?? []
        let trips = times.compactMap { time -> String? in
            if case .number(let value) = time.value { "\(time.name) \(value)" } else { nil }
        }
        var facts: [[String: Any]?] = [
            ConsoleContext.fact("Host", ConsoleContext.text(json, "host")),
            ConsoleContext.fact("Topic", ConsoleContext.text(json, "topic")),
            ConsoleContext.fact("Key", "…\(ConsoleContext.text(json, "keyIdSuffix") ?? "")"),
            ConsoleContext.fact("Provider token", age(ConsoleContext.number(json, "providerTokenAgeSeconds"))),
            ConsoleContext.fact(
                "Open connections",
                "\(count("connections", "open")) of \(count("connections", "wanted"))"
            ),
            ConsoleContext.fact("Open requests", "\(count("streams", "inUse")) of \(count("streams", "allowed"))"),
            ConsoleContext.fact("Breaker", ConsoleContext.text(json, "breaker")),
            ConsoleContext.fact("Round trip in ms", trips.isEmpty ? nil : trips.joined(separator: ", ")),
        ]
        for name in ["accepted", "rejected", "failed", "expired"] {
            let value = ConsoleContext.grouped(ConsoleContext.number(json, name))
            facts.append(ConsoleContext.fact(name.prefix(1).uppercased() + name.dropFirst(), value))
        }
        row["facts"] = facts.compactMap { $0 }
        if json.member("on") == .bool(false) {
            var off = [
                "by": ConsoleContext.text(change, "changedBy") ?? "",
                "reason": ConsoleContext.text(change, "reason") ?? "",
            ]
            off["at"] = ConsoleContext.text(change, "changedAt")
            off["until"] = ConsoleContext.text(change, "expiresAt")
            row["off"] = off
        }
        if let probe = json.member("lastProbe") {
            row["probe"] = ConsoleContext.members(probe).merging([
                "tone": probe.member("good") == .bool(true) ? "good" : "bad"
            ]) { $1 }
        }
        return row
    }

    private static func age(_ seconds: Int64) -> String {
        seconds < 120 ? "\(seconds) s old" : "\(seconds / 60) min old"
    }

    /// The sampled pushes of a filter, newest first.
    func pushes(_ filter: PushFilter) -> ConsoleView {
        let page = filter.page(of: dependencies.push.history.all)
        let choices = ["", "accepted", "rejected", "failed"].map { outcome -> [String: Any] in
            [
                "outcome": outcome,
                "name": outcome.isEmpty ? "All" : outcome.prefix(1).uppercased() + outcome.dropFirst(),
                "isCurrent": filter.texts["outcome"] ?? "" == outcome,
            ]
        }
        var context: [String: Any] = [
            "choices": choices, "pushes": page.records.map(Self.row),
            "outcome": filter.texts["outcome"] ?? "", "match": filter.match?.text ?? "",
        ]
        if let next = page.next { context["next"] = filter.query(before: next) }
        return ConsoleView(title: "Push attempts", template: "pushes", context: context)
    }

    /// One sampled push with its tries; nil for one that is not kept.
    func push(_ id: String) -> ConsoleView? {
        guard let timeline = PushTimeline(dependencies.push.history.all.tries(of: id)) else { return nil }
        let json = timeline.json
        var context = Self.row(timeline.last)
        let facts: KeyValuePairs = [
            "Class": "class", "Environment": "environment", "Device": "device", "Token": "token", "Channel": "channel",
            "Trap": "trap",
        ]
        context["facts"] = facts.compactMap { ConsoleContext.fact($0, ConsoleContext.text(json, $1)) }
        let start = timeline.events.first?.at
        context["steps"] = timeline.events.map { event -> [String: Any] in
            let after = start.map { (event.at - $0).milliseconds } ?? 0
            return ["at": event.at.rfc3339, "text": Self.text(of: event), "after": "\(after) ms"]
        }
        if let payload = timeline.payload {
            let bytes = timeline.last.attempt.payload?.count ?? 0
            context["content"] = ["bytes": bytes, "json": SchemaExample.indented(payload)]
        }
        let state = (timeline.last.attempt.outcome.label, Self.tone(of: timeline.last.attempt))
        return ConsoleView(title: "Push", template: "push_attempt", context: context, state: state, isLive: false)
    }

    private static func text(of event: PushStep) -> String {
        switch event {
        case .planned: return "Planned"
        case .sent(let record): return "Sent, try \(record.attempt.number)"
        case .answered(let record):
            let attempt = record.attempt
            let answer = attempt.outcome == .accepted ? "200" : "\(attempt.status) \(attempt.reason.rawValue)"
            return "Answered: \(answer)" + (attempt.isFinal ? "" : ", to be repeated")
        }
    }

    private static func row(_ record: PushRecord) -> [String: Any] {
        let attempt = record.attempt
        var row: [String: Any] = [
            "id": attempt.requestID, "at": record.answeredAt.rfc3339, "match": attempt.match.text,
            "class": attempt.operation.rawValue, "environment": attempt.environment.rawValue,
            "answer": attempt.outcome == .accepted ? "200" : "\(attempt.status) \(attempt.reason.rawValue)",
            "tone": tone(of: attempt), "try": attempt.number, "took": "\(attempt.duration.tenths) ms",
            "number": record.number,
        ]
        row["revision"] = attempt.revision
        row["print"] = attempt.fingerprint?.text
        row["isBroadcast"] = attempt.isBroadcast
        return row
    }

    private static func tone(of attempt: PushAttempt) -> String {
        switch attempt.outcome {
        case .accepted: "good"
        case .rejected: "bad"
        case .failed: attempt.isFinal ? "bad" : "warn"
        }
    }

    /// The pushes that were given up, by answer.
    func deadLetters() -> ConsoleView {
        let groups = dependencies.push.history.all.deadLetters.map { answer, group -> [String: Any] in
            var row: [String: Any] = [
                "reason": answer.reason.rawValue, "class": answer.operation.rawValue,
                "environment": answer.environment.rawValue, "count": ConsoleContext.grouped(Int64(group.givenUp.count)),
                "body": Self.discard(answer),
            ]
            row["first"] = group.givenUp.firstAt?.rfc3339
            row["last"] = group.givenUp.lastAt?.rfc3339
            row["trap"] = answer.reason.trap
            row["sample"] = group.newest.map(Self.row)
            return row
        }
        let state = groups.isEmpty ? ("none", "good") : ("\(groups.count) answers", "warn")
        return ConsoleView(title: "Dead letters", template: "dead_letters", context: ["groups": groups], state: state)
    }

    private static func discard(_ answer: PushAnswer) -> String {
        let body = JSONValue.record([
            "apnsReason": .text(answer.reason.rawValue), "class": .text(answer.operation.rawValue),
            "environment": .text(answer.environment.rawValue),
        ])
        return String(decoding: body.bytes, as: UTF8.self)
    }

    /// The newest pushes that APNs did not accept.
    func refusals(_ count: Int) -> [[String: Any]] {
        dependencies.push.history.all.records { $0.attempt.outcome != .accepted }.prefix(count).map(Self.row)
    }
}
