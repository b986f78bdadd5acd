// The JSON form of a script, for tests in any language.

import ScoreTypes

/// Why a script cannot be used; names the rule, counted from 1, and what was expected.
public enum APNsScriptError: Error, Sendable, Hashable, CustomStringConvertible {
    /// It is no JSON object with a list `rules`.
    case notAScript(String)
    /// One rule is wrong.
    case rule(Int, String)

    /// One sentence.
    public var description: String {
        switch self {
        case .notAScript(let reason): "script: expected a JSON object with a list \"rules\" (\(reason))"
        case .rule(let number, let expected): "script, rule \(number): expected \(expected)"
        }
    }
}

extension APNsScript {
    private struct Written: Decodable {
        let rules: [WrittenRule]
        let seed: UInt64?
    }

    /// Reads a script.
    ///
    /// - Parameter json: `{"seed": 1, "rules": [{"every": 50, "do": "answer", "status": 503, …}]}`; the page about the
    ///   simulator lists all members.
    /// - Throws: `APNsScriptError`, which says what was expected.
    public init(json: [UInt8]) throws(APNsScriptError) {
        let written: Written
        do { written = try JSONElement.read(Written.self, from: json) } catch {
            throw .notAScript("\(error)")
        }
        let most = SimulatorLimits.scriptRules
        guard written.rules.count <= most else { throw .notAScript("at most \(most) rules") }
        var rules: [APNsScriptRule] = []
        for (index, rule) in written.rules.enumerated() { rules.append(try rule.read(index + 1)) }
        self.init(rules: rules, seed: written.seed ?? 1)
    }
}

/// One rule as it stands in the file.
private struct WrittenRule: Decodable {
    let act: String
    let from: UInt64?
    let through: UInt64?
    let at: UInt64?
    let every: UInt64?
    let share: Double?
    let token: String?
    let broadcast: Bool?
    let priority: Int?
    let alert: Bool?
    let status: Int?
    let reason: String?
    let retryAfter: Int?
    let deadSinceMs: Int64?
    let body: String?
    let milliseconds: Int64?
    let count: Int?

    enum CodingKeys: String, CodingKey {
        case act = "do"
        case from, through, at, every, share, token, broadcast, priority, alert, status, reason, retryAfter
        case deadSinceMs, body, milliseconds, count
    }

    func read(_ number: Int) throws(APNsScriptError) -> APNsScriptRule {
        var rule = APNsScriptRule(act: try interference(number))
        rule.from = from ?? at
        rule.through = through ?? at
        rule.every = every
        rule.share = share
        rule.isBroadcast = broadcast
        rule.priority = priority
        rule.hasAlert = alert
        if let share, !(0...1).contains(share) { throw .rule(number, "\"share\" from 0 to 1") }
        if let token {
            guard let bytes = Hex.bytes(token) else { throw .rule(number, "\"token\" as an even number of hex digits") }
            rule.recipientPrefix = bytes
        }
        return rule
    }

    private func interference(_ number: Int) throws(APNsScriptError) -> APNsInterference {
        switch act {
        case "answer":
            guard let reason else { throw .rule(number, "\"reason\", such as ServiceUnavailable") }
            let status = try status(number)
            return .answer(status: status, reason: reason, retryAfter: retryAfter, deadSince: deadSinceMs)
        case "garble": return .garble(status: try status(number), body: Array((body ?? "").utf8))
        case "silence": return .silence
        case "silenceAfter": return .silenceAfter
        case "refuse": return .refuse
        case "goAway": return .goAway
        case "cut": return .cut
        case "cutAfter": return .cutAfter
        case "delay": return .delay(try wait(number))
        case "deliverLater": return .deliverLater(try wait(number))
        case "limitStreams":
            guard let count, (0...10_000).contains(count) else { throw .rule(number, "\"count\" from 0 to 10000") }
            return .limitStreams(count)
        default:
            throw .rule(
                number,
                "\"do\" as answer, garble, silence, silenceAfter, delay, deliverLater, refuse, goAway, cut, cutAfter "
                    + "or limitStreams"
            )
        }
    }

    private func wait(_ number: Int) throws(APNsScriptError) -> Duration {
        guard let milliseconds, (1...600_000).contains(milliseconds) else {
            throw .rule(number, "\"milliseconds\" from 1 to 600000")
        }
        return .milliseconds(milliseconds)
    }

    private func status(_ number: Int) throws(APNsScriptError) -> Int {
        guard let status, (200...599).contains(status) else { throw .rule(number, "\"status\" from 200 to 599") }
        return status
    }
}
