// A bad day of Apple's, written down: as JSON by hand, or drawn from a seed, and the same again each time.

internal import ScoreTypes

/// Rules that are applied before each request; the first match decides.
public struct APNsScript: Sendable, Hashable {
    /// In the order in which they are applied.
    let rules: [APNsScriptRule]
    /// The generator of rules that apply to a share of all requests.
    let seed: UInt64

    /// Fills in the fields.
    init(rules: [APNsScriptRule], seed: UInt64 = 1) {
        self.rules = Array(rules.prefix(SimulatorLimits.scriptRules))
        self.seed = seed
    }

    /// The interference with a request; nil for the ordinary answer.
    func interference(with arrival: APNsArrival) -> APNsInterference? {
        for (index, rule) in rules.enumerated() where rule.fits(arrival, draw: draw(arrival.number, index)) {
            return rule.act
        }
        return nil
    }

    /// A script with a little of everything that Apple was seen to do, drawn from the seed.
    ///
    /// Nothing in it kills a token or the provider's key: everything that it refuses can be sent again.
    ///
    /// - Parameters:
    ///   - seed: Draws faults and times.
    ///   - reorders: Whether some pushes and broadcasts reach the phones after later ones.
    /// - Returns: The same script for the same arguments.
    public static func drawn(from seed: UInt64, reorders: Bool = false) -> APNsScript {
        var chance = SplitMix64(seed: seed)
        let all: [(APNsInterference, ClosedRange<Double>)] = [
            (.refuse, 0.001...0.02), (.answer(status: 503, reason: "ServiceUnavailable"), 0.001...0.02),
            (.answer(status: 500, reason: "InternalServerError"), 0.001...0.01),
            (.answer(status: 429, reason: "TooManyRequests", retryAfter: 1), 0.001...0.01),
            (.delay(.milliseconds(Int64.random(in: 20...900, using: &chance))), 0.01...0.1),
            (.silence, 0.0002...0.001), (.goAway, 0.0002...0.001), (.cut, 0.0002...0.001),
            (.silenceAfter, 0.0002...0.001), (.cutAfter, 0.0002...0.001),
            (.limitStreams(Int.random(in: 1...200, using: &chance)), 0.0005...0.002),
        ]
        let count = Int.random(in: 5...all.count, using: &chance)
        var rules = all.shuffled(using: &chance).prefix(count).map { act, range in
            APNsScriptRule(act: act, share: Double.random(in: range, using: &chance))
        }
        // A reduced stream limit is restored, or the connection stays slow.
        rules.append(APNsScriptRule(act: .limitStreams(1000), share: 0.002))
        if reorders {
            let wait = Duration.milliseconds(Int64.random(in: 200...2_000, using: &chance))
            rules.append(APNsScriptRule(act: .deliverLater(wait), share: 0.05))
        }
        return APNsScript(rules: rules, seed: seed)
    }

    /// A number from 0 up to 1 that belongs to one request and one rule.
    private func draw(_ number: UInt64, _ rule: Int) -> Double {
        var chance = SplitMix64(seed: seed ^ number &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(rule) << 48)
        return Double(chance.next() >> 11) / Double(1 << 53)
    }
}

/// Which requests are met, and what happens to them.
struct APNsScriptRule: Sendable, Hashable {
    /// The interference.
    let act: APNsInterference
    /// The first request of the simulator's life that is met, counted from 1; nil for the very first.
    var from: UInt64?
    /// The last one; nil for no end.
    var through: UInt64?
    /// Only each so-manieth request; nil for all.
    var every: UInt64?
    /// Only this part of the requests, 0 to 1, drawn from the seed; nil for all.
    var share: Double?
    /// Only tokens that begin with these bytes; nil for all.
    var recipientPrefix: [UInt8]?
    /// Only broadcasts, or only pushes to tokens; nil for both.
    var isBroadcast: Bool?
    /// Only this `apns-priority`; nil for all.
    var priority: Int?
    /// Only requests with an alert, or only those without; nil for both.
    var hasAlert: Bool?

    func fits(_ arrival: APNsArrival, draw: Double) -> Bool {
        if let from, arrival.number < from { return false }
        if let through, arrival.number > through { return false }
        if let every, every > 0, !arrival.number.isMultiple(of: every) { return false }
        if let isBroadcast, arrival.isBroadcast != isBroadcast { return false }
        if let priority, arrival.priority != priority { return false }
        if let hasAlert, arrival.hasAlert != hasAlert { return false }
        if let recipientPrefix, !arrival.recipient.starts(with: recipientPrefix) { return false }
        if let share { return draw < share }
        return true
    }
}
