// The table of a rehearsal: a row a seed, and whether all of them are within what is promised.

import ScoreTypes
import Simulators

/// The results of all seeds.
struct CrashReport: Report, Sendable {

    /// Phones without a client.
    let activities: Int
    /// Phones with one.
    let clients: Int
    /// Requests that were in the air at once on one connection, at most.
    private(set) var streamsMost = 0
    /// Most provider tokens that were in use at one time.
    private(set) var providerTokensMost = 0
    /// Accepted pushes that no phone would have shown.
    private(set) var trapped = 0
    /// Pushes that APNs refused because there were too many, or too many provider tokens.
    private(set) var tooMany = 0
    var outcomes: [CrashOutcome] = []

    /// The reasons of answers with status 429.
    private static let reasonsOfTooMany = ["TooManyRequests", "TooManyProviderTokenUpdates"]

    /// Makes a report without results.
    ///
    /// - Parameters:
    ///   - activities: Phones without a client.
    ///   - clients: Phones with one.
    init(activities: Int, clients: Int) { (self.activities, self.clients) = (activities, clients) }

    /// Adds what the simulated APNs of a test bed has counted.
    mutating func add(_ pushes: PushStatistics) {
        streamsMost = max(streamsMost, pushes.streamsMost)
        providerTokensMost = max(providerTokensMost, pushes.providerTokensMost.values.max() ?? 0)
        trapped += pushes.traps.values.reduce(0, +)
        tooMany += Self.reasonsOfTooMany.reduce(0) { $0 + (pushes.refused[$1] ?? 0) }
    }

    /// Most pushes that a lost node may leave to be sent twice: those in flight, and those not recorded yet.
    var sentTwiceMax: Int { LabLimits.repeatedPushes(streamsMost: streamsMost) }

    /// Whether nothing was lost, nothing went back, and all else is within its bound.
    var isRight: Bool { faults.isEmpty }

    /// Each broken promise, with its seed.
    var faults: [String] {
        var faults = outcomes.flatMap { outcome -> [String] in
            let place = "seed \(outcome.seed), \(outcome.victim) \(outcome.manner.rawValue)"
            return brokenPromises(of: outcome).map { "\(place): \($0)" }
        }
        if providerTokensMost > LabLimits.providerTokens {
            faults.append("\(providerTokensMost) provider tokens in use at one time")
        }
        if trapped > 0 { faults.append("\(trapped) accepted pushes that no phone would have shown") }
        if tooMany > 0 { faults.append("\(tooMany) pushes were answered 429") }
        if outcomes.isEmpty { faults.append("no seed was run") }
        return faults
    }

    private func brokenPromises(of outcome: CrashOutcome) -> [String] {
        let isOrderly = outcome.manner == .ended
        // PUBLICATION section 2: without a crash no alert is sent twice.
        let alertsMax = isOrderly ? 0 : sentTwiceMax
        let takeoverMax = isOrderly ? LabLimits.handOver : LabLimits.takeover
        let checks: [(isRight: Bool, text: String)] = [
            (outcome.lost == 0, "\(outcome.lost) phones without the wicket"),
            (outcome.withoutAlert == 0, "\(outcome.withoutAlert) phones without its alert"),
            (outcome.sentTwice <= sentTwiceMax, "\(outcome.sentTwice) sent twice"),
            (outcome.sentTwiceAfter <= sentTwiceMax, "\(outcome.sentTwiceAfter) of the next ball sent twice"),
            (outcome.alertsTwice <= alertsMax, "\(outcome.alertsTwice) alerts accepted twice"),
            (outcome.soundedTwice <= alertsMax, "\(outcome.soundedTwice) alerts sounded twice"),
            (outcome.wentBack == 0, "\(outcome.wentBack) older states after newer ones"),
            (outcome.cardsTwice == 0, "\(outcome.cardsTwice) phones with two cards"),
            (outcome.takeover < takeoverMax, "takeover after \(outcome.takeover.inSeconds.rounded(to: 2)) s"),
            (outcome.isZombieRefused, "the lost node's writes were accepted"),
        ]
        return checks.filter { !$0.isRight }.map(\.text)
    }

    var text: String {
        let verdict =
            "\(activities) activities, \(clients) clients, \(outcomes.count) seeds: "
            + (isRight ? "all within bounds" : "OUT OF BOUNDS")
            + " (lost 0, twice at most \(sentTwiceMax), alerts twice 0 after SIGTERM, takeover under "
            + "\(LabLimits.takeover.inSeconds) s, after SIGTERM \(LabLimits.handOver.inSeconds) s); "
            + "provider tokens in use at one time: \(providerTokensMost)"
        return ([verdict] + faults).joined(separator: "\n")
    }

    /// The names of the columns.
    static let head =
        "seed  node    was      sent before  lost  twice  twice after  no alert  alerts twice  sounded twice  "
        + "went back  two cards  takeover  complete  zombie"

    /// The row of one seed.
    static func line(_ outcome: CrashOutcome) -> String {
        [
            "\(outcome.seed)".padded(to: 4), outcome.victim.text.padded(to: 6),
            outcome.manner.rawValue.padded(to: 7), "\(outcome.sentBefore)".padded(to: 11),
            "\(outcome.lost)".padded(to: 4), "\(outcome.sentTwice)".padded(to: 5),
            "\(outcome.sentTwiceAfter)".padded(to: 11), "\(outcome.withoutAlert)".padded(to: 8),
            "\(outcome.alertsTwice)".padded(to: 12), "\(outcome.soundedTwice)".padded(to: 13),
            "\(outcome.wentBack)".padded(to: 9), "\(outcome.cardsTwice)".padded(to: 9),
            "\(outcome.takeover.inSeconds.rounded(to: 2)) s".padded(to: 8),
            "\(outcome.complete.inSeconds.rounded(to: 2)) s".padded(to: 8),
            outcome.isZombieRefused ? "refused" : "WROTE",
        ].joined(separator: "  ")
    }

    var json: [UInt8] {
        JSONWriter.document { json in
            json.field("activities", activities)
            json.field("clients", clients)
            json.field("sentTwiceMax", sentTwiceMax)
            json.field("providerTokensMost", providerTokensMost)
            json.field("trapped", trapped)
            json.field("tooMany", tooMany)
            json.field("isRight", isRight)
            json.strings("faults", faults)
            json.objects("seeds", outcomes) { outcome, json in
                json.field("seed", Int64(bitPattern: outcome.seed))
                json.field("node", outcome.victim.text)
                json.field("manner", outcome.manner.rawValue)
                json.field("sentBefore", outcome.sentBefore)
                json.field("lost", outcome.lost)
                json.field("sentTwice", outcome.sentTwice)
                json.field("sentTwiceAfter", outcome.sentTwiceAfter)
                json.field("wentBack", outcome.wentBack)
                json.field("withoutAlert", outcome.withoutAlert)
                json.field("alertsTwice", outcome.alertsTwice)
                json.field("soundedTwice", outcome.soundedTwice)
                json.field("cardsTwice", outcome.cardsTwice)
                json.field("takeoverMilliseconds", outcome.takeover.milliseconds)
                json.field("completeMilliseconds", outcome.complete.milliseconds)
                json.field("isZombieRefused", outcome.isZombieRefused)
            }
        }
    }
}
