// The figures of a run, for people and for programs.

import ScoreTypes

/// How long one reply took, by step; diff, fold and journal are parts of the total, measured apart.
struct IngestLap: Sendable {
    let decode: Duration
    let diff: Duration
    let fold: Duration
    let journal: Duration
    let total: Duration
}

/// What `bench ingest` found.
struct IngestFigures: Report, Sendable {
    /// Whose replies they were.
    let provider: Provider
    /// Size of all that tells the match, in bytes, when it was large enough.
    let bytes: Int
    /// Bytes that came for each new ball, on the average.
    var newBytes: Int { laps == 0 ? 0 : arrived / laps }
    /// Balls in it.
    let balls: Int
    private var arrived = 0
    private var laps = 0
    private var decode = DurationSet()
    private var diff = DurationSet()
    private var fold = DurationSet()
    private var journal = DurationSet()
    private var total = DurationSet()

    init(provider: Provider, bytes: Int, balls: Int) {
        self.provider = provider
        self.bytes = bytes
        self.balls = balls
    }

    mutating func add(_ lap: IngestLap, bytes: Int) {
        arrived += bytes
        laps += 1
        decode.add(lap.decode)
        diff.add(lap.diff)
        fold.add(lap.fold)
        journal.add(lap.journal)
        total.add(lap.total)
    }

    private var steps: [(name: String, times: DurationSet)] {
        [("decode", decode), ("diff", diff), ("fold", fold), ("journal", journal), ("total", total)]
    }

    /// Whether no more than one reply in a hundred took longer, from its bytes to its commit.
    func isWithin(_ bound: Duration) -> Bool { laps > 0 && total.percentile(0.99) <= bound }

    /// One JSON object: the median of each step under its name, the 99th percentile beside it.
    var json: [UInt8] {
        JSONWriter.document { json in
            json.field("provider", provider.rawValue)
            json.field("bytes", bytes)
            json.field("newBytes", newBytes)
            json.field("balls", balls)
            for step in steps {
                json.key(dynamic: "\(step.name)Milliseconds")
                json.number(step.times.percentile(0.5).reportMilliseconds)
                json.key(dynamic: "\(step.name)P99Milliseconds")
                json.number(step.times.percentile(0.99).reportMilliseconds)
            }
        }
    }

    /// Lines for people.
    var text: String {
        let lines = steps.map { step in
            let (middle, worst) = (step.times.percentile(0.5), step.times.percentile(0.99))
            return "\(step.name): p50 \(middle.reportMilliseconds) ms, p99 \(worst.reportMilliseconds) ms"
        }
        let head =
            "\(provider.rawValue): a match told in \(bytes) bytes and \(balls) balls; "
            + "a reply with a new ball brings \(newBytes) bytes anew, and the rest is held from earlier ones"
        return ([head] + lines).joined(separator: "\n")
    }
}
