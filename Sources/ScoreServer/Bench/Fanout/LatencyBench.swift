// A wicket is worth most in its first moment, also in the village while the final is on.

import Foundation
import PushDispatcher
import ScoreTypes

/// Times publications of a small match from the hand-over to the first byte on the wire, idle and beside a fan-out.
struct LatencyBench: Sendable {
    var tokens = 1_000_000
    /// Publications that are timed, idle and then under load.
    var publications = 200
    var core: Int? = 0

    /// Followers of the small match.
    private static let villageTokens = 100
    /// From one timed publication to the next: another match each time, so that none waits for its pace.
    private static let interval = Duration.milliseconds(10)
    /// A publication that is not answered by then is lost.
    private static let answerMax = Duration.seconds(10)

    func run(to sink: BenchSink) async throws -> LatencyFigures {
        if let core, !ProcessMeter.pin(to: core) { throw BenchFailure("no thread can be pinned to core \(core)") }
        let stage = try await FanoutStage(
            tokens: tokens,
            sink: sink,
            lanes: 1,
            villageTokens: Self.villageTokens,
            observesAttempts: true
        )
        await stage.send(BenchPublication.make(FanoutStage.village, revision: 1, clock: stage.clock))
        var figures = LatencyFigures()
        figures.idle = try await times(on: stage, from: 2)
        let load = Task { await self.load(stage) }
        figures.busy = try await times(on: stage, from: Int64(publications) + 2)
        load.cancel()
        _ = await load.value
        await stage.stop()
        return figures
    }

    /// Fans out the large match again and again.
    private func load(_ stage: FanoutStage) async {
        var revision: Int64 = 1
        while !Task.isCancelled {
            await stage.send(BenchPublication.make(FanoutStage.match, revision: revision, clock: stage.clock))
            revision += 1
            try? await Task.sleep(for: .milliseconds(1_100))
        }
    }

    private func times(on stage: FanoutStage, from first: Int64) async throws -> [Double] {
        var found: [Double] = []
        for revision in first..<(first + Int64(publications)) {
            // One publication a second and match is the pace, so that timed ones are a second apart.
            try await Task.sleep(for: .milliseconds(1_020))
            _ = stage.attempts.take(FanoutStage.village)
            let start = stage.clock.monotonic
            await stage.dispatcher.publish(
                BenchPublication.make(FanoutStage.village, revision: revision, clock: stage.clock, isWicket: true)
            )
            found.append(try await firstSent(stage, since: start))
        }
        return found.sorted()
    }

    private func firstSent(_ stage: FanoutStage, since start: Duration) async throws -> Double {
        while stage.clock.monotonic - start < Self.answerMax {
            try await Task.sleep(for: Self.interval)
            if let sent = stage.attempts.take(FanoutStage.village).firstSentAt {
                return (sent - start).inSeconds * 1000
            }
        }
        throw BenchFailure("a publication was not answered within \(Self.answerMax)")
    }
}

/// What `bench fanout --mode latency` found, in milliseconds, sorted.
struct LatencyFigures: Sendable {
    var idle: [Double] = []
    var busy: [Double] = []

    /// One JSON object.
    var json: [UInt8] {
        JSONWriter.document { json in
            for (name, times) in [("idle", idle), ("busy", busy)] {
                json.key(dynamic: name)
                json.object { fields in
                    fields.field("publications", times.count)
                    fields.key("p50Milliseconds")
                    fields.number(Self.quantile(times, 0.5))
                    fields.key("p99Milliseconds")
                    fields.number(Self.quantile(times, 0.99))
                }
            }
        }
    }

    /// Lines for people.
    var text: String {
        [("idle", idle), ("beside a fan-out", busy)].map { name, times in
            "publication to first byte, \(name): p50 \(Self.quantile(times, 0.5)) ms, "
                + "p99 \(Self.quantile(times, 0.99)) ms (\(times.count) times)"
        }.joined(separator: "\n")
    }

    private static func quantile(_ sorted: [Double], _ part: Double) -> Double {
        guard !sorted.isEmpty else { return 0 }
        return sorted[min(sorted.count - 1, Int((Double(sorted.count) * part).rounded(.up)) - 1)].rounded(to: 3)
    }
}
