// Measures the engine: folds of whole matches, and one more ball of a Test up to the bytes of a push.

import Benchmark
import MatchEngine

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .cpuTotal, .throughput],
        warmupIterations: 3,
        maxDuration: .seconds(5)
    )

    for (name, match) in [
        ("Fold a T20", WrittenMatch(.t20, innings: 2, balls: 125)),
        ("Fold a Test", WrittenMatch(.test, innings: 4, balls: 600)),
    ] {
        let changes = match.changes
        Benchmark("\(name) from nothing (\(match.deliveries.count) deliveries)") { benchmark in
            for _ in benchmark.scaledIterations {
                var replica = MatchReplica()
                replica.apply(changes)
                blackHole(replica.state.innings.count)
            }
        }
        let folded = folded(changes)
        let corrected = match.frame.filter { if case .innings = $0 { true } else { false } }.map(withPenalty)
        Benchmark("\(name) again after a correction of every innings (\(match.deliveries.count) deliveries)") {
            benchmark in
            for _ in benchmark.scaledIterations {
                var replica = folded
                replica.apply(corrected)
                blackHole(replica.state.innings.count)
            }
        }
    }

    let test = WrittenMatch(.test, innings: 4, balls: 600)
    let before = Array(test.changes.dropLast())
    let most = folded(before)
    let last = Array(test.changes.suffix(1))
    Benchmark("One more ball of a Test: apply, moments, content state, bytes") { benchmark in
        for _ in benchmark.scaledIterations {
            // A separate replica: one that shares its balls with another first copies all of them.
            var replica = folded(before)
            benchmark.startMeasurement()
            replica.apply(last)
            guard let info = replica.record.info else { continue }
            let event = replica.state.moments.last
            let content = ContentStateRenderer.render(replica.state, info: info, revision: 2_401, event: event)
            blackHole(ContentStateRenderer.bytes(of: content))
            benchmark.stopMeasurement()
        }
    }

    let info = most.record.info
    Benchmark("Render a content state of a Test") { benchmark in
        guard let info else { return }
        for _ in benchmark.scaledIterations {
            let content = ContentStateRenderer.render(most.state, info: info, revision: 2_400)
            blackHole(ContentStateRenderer.bytes(of: content))
        }
    }
}

private func folded(_ changes: [Change]) -> MatchReplica {
    var replica = MatchReplica()
    replica.apply(changes)
    return replica
}

/// A frame that makes its innings fold anew.
private func withPenalty(_ change: Change) -> Change {
    guard case .innings(var info) = change else { return change }
    info.penaltyBefore = 5
    return .innings(info)
}
