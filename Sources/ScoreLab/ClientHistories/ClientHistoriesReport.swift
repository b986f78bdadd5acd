// The sum of all histories, and the events of those that ended wrongly.

import ScoreTypes

/// The results of a run of histories.
struct ClientHistoriesReport: Report, Sendable {
    let firstSeed: UInt64
    private(set) var histories = 0
    private(set) var counts = HistoryCounts()
    /// The histories that ended wrongly, at most ``LabLimits/failedHistories``.
    private(set) var failures: [HistoryOutcome] = []
    private(set) var failed = 0
    var time = Duration.zero

    init(firstSeed: UInt64) { self.firstSeed = firstSeed }

    mutating func add(_ outcome: HistoryOutcome) {
        histories += 1
        counts.add(outcome.counts)
        guard !outcome.differences.isEmpty else { return }
        failed += 1
        if failures.count < LabLimits.failedHistories { failures.append(outcome) }
    }

    var text: String {
        """
        \(histories) histories from seed \(firstSeed) in \(time.inSeconds.rounded(to: 1)) s: \(failed) failed
        \(counts.requests) requests, \(counts.lostAnswers) lost answers, \(counts.late) late arrivals, \
        \(counts.repeated) repetitions, \(counts.crashes) crashes, \(counts.erasures) erasures
        """
    }

    /// A history that ended wrongly, with its events.
    static func text(of outcome: HistoryOutcome) -> String {
        (["seed \(outcome.seed):"] + outcome.differences + outcome.events.map { "  " + $0 }).joined(separator: "\n")
    }

    var json: [UInt8] {
        JSONWriter.document { json in
            json.field("firstSeed", Int64(bitPattern: firstSeed))
            json.field("histories", histories)
            json.field("failed", failed)
            json.field("requests", counts.requests)
            json.field("lostAnswers", counts.lostAnswers)
            json.field("lateArrivals", counts.late)
            json.field("repetitions", counts.repeated)
            json.field("crashes", counts.crashes)
            json.field("erasures", counts.erasures)
            json.field("milliseconds", time.milliseconds)
            json.objects("failures", failures) { outcome, json in
                json.field("seed", Int64(bitPattern: outcome.seed))
                json.strings("differences", outcome.differences)
                json.strings("events", outcome.events)
            }
        }
    }
}
