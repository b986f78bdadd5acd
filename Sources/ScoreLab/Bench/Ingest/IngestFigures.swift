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

/// The result of `bench ingest`.
struct IngestFigures: Report, Sendable {
    /// The provider of the replies.
    let provider: Provider
    /// Bytes of all replies of the match, when they were enough.
    let bytes: Int
    /// Bytes that came for each new ball, on the average.
    var newBytes: Int { laps.isEmpty ? 0 : arrived / laps.count }
    /// Balls in it.
    let balls: Int
    private(set) var arrived = 0
    private(set) var laps: [IngestLap] = []

    mutating func add(_ lap: IngestLap, bytes: Int) {
        arrived += bytes
        laps.append(lap)
    }

    private var steps: [(name: String, times: DurationSet)] {
        [
            ("decode", times(\.decode)), ("diff", times(\.diff)), ("fold", times(\.fold)),
            ("journal", times(\.journal)), ("total", times(\.total)),
        ]
    }

    private func times(_ step: (IngestLap) -> Duration) -> DurationSet { DurationSet(laps.map(step)) }

    /// Whether no more than one reply in a hundred took longer, from its bytes to its commit.
    func isWithin(_ bound: Duration) -> Bool { !laps.isEmpty && times(\.total).percentile(0.99) <= bound }

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

    var text: String {
        let lines = steps.map { "\($0.name): \($0.times.text)" }
        let head =
            "\(provider.rawValue): a match of \(bytes) bytes and \(balls) balls; "
            + "a reply with a new ball has \(newBytes) new bytes, and the rest repeats earlier replies"
        return ([head] + lines).joined(separator: "\n")
    }
}
