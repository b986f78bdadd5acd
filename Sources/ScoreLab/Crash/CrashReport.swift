// The table of a rehearsal: a row a seed, and whether all of them are within what is promised.

import ScoreTypes

/// The results of all seeds.
struct CrashReport: Report, Sendable {

    /// Phones without a client.
    let activities: Int
    /// Phones with one.
    let clients: Int
    /// Requests that were in the air at once on one connection, at most.
    let streamsMost: Int
    let outcomes: [CrashOutcome]

    /// Most pushes that a lost node may leave to be sent twice: those in flight, and those not recorded yet.
    var sentTwiceMax: Int { LabLimits.repeatedPushes(streamsMost: streamsMost) }

    /// Whether nothing was lost, nothing went back, and all else is within its bound.
    var isRight: Bool {
        outcomes.allSatisfy { outcome in
            outcome.lost == 0 && outcome.wentBack == 0 && outcome.cardsTwice == 0 && outcome.isZombieRefused
                && outcome.sentTwice <= sentTwiceMax && outcome.sentTwiceAfter <= sentTwiceMax
                && outcome.alertsTwice <= sentTwiceMax
                && outcome.takeover < LabLimits.takeover
        }
    }

    var text: String {
        "\(activities) activities, \(clients) clients, \(outcomes.count) seeds: "
            + (isRight ? "all within bounds" : "OUT OF BOUNDS")
            + " (lost 0, twice at most \(sentTwiceMax), takeover under \(LabLimits.takeover.inSeconds) s)"
    }

    /// The names of the columns.
    static let head =
        "seed  node    was      sent before  lost  twice  twice after  alerts twice  went back  two cards  takeover  "
        + "complete  zombie"

    /// The row of one seed.
    static func line(_ outcome: CrashOutcome) -> String {
        [
            "\(outcome.seed)".padded(to: 4), outcome.victim.text.padded(to: 6),
            outcome.manner.rawValue.padded(to: 7), "\(outcome.sentBefore)".padded(to: 11),
            "\(outcome.lost)".padded(to: 4), "\(outcome.sentTwice)".padded(to: 5),
            "\(outcome.sentTwiceAfter)".padded(to: 11), "\(outcome.alertsTwice)".padded(to: 12),
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
            json.field("isRight", isRight)
            json.objects("seeds", outcomes) { outcome, json in
                json.field("seed", Int64(bitPattern: outcome.seed))
                json.field("node", outcome.victim.text)
                json.field("manner", outcome.manner.rawValue)
                json.field("sentBefore", outcome.sentBefore)
                json.field("lost", outcome.lost)
                json.field("sentTwice", outcome.sentTwice)
                json.field("sentTwiceAfter", outcome.sentTwiceAfter)
                json.field("wentBack", outcome.wentBack)
                json.field("alertsTwice", outcome.alertsTwice)
                json.field("cardsTwice", outcome.cardsTwice)
                json.field("takeoverMilliseconds", outcome.takeover.milliseconds)
                json.field("completeMilliseconds", outcome.complete.milliseconds)
                json.field("isZombieRefused", outcome.isZombieRefused)
            }
        }
    }
}
