// A wicket is worth most in its first moment, also in the village while the final is on.

import Foundation
import PushDispatcher
import ScoreTypes

/// Times publications of a small match, idle and beside a fan-out.
///
/// The clock starts when a rendered publication is handed to the dispatcher, just after its commit in a server.
/// It is read twice: when the first request is handed to its connection, which writes it in the same turn of the loop,
/// and when the first answer is read. The first byte leaves between the two.
struct LatencyBench: Sendable {
    var tokens = 1_000_000
    /// Publications that are timed, idle and then under load.
    var publications = 200
    var core: Int? = 0

    /// Small matches that take turns, with so many followers each: one publication a second is the pace of a match.
    private static let villages = 10
    private static let villageTokens = 100
    /// From one timed publication to the next, so that each match's are a little more than a second apart.
    private static let pause = Duration.milliseconds(105)
    /// How often it is looked whether a publication was answered.
    private static let interval = Duration.milliseconds(5)
    /// A publication that is not answered by then is lost.
    private static let answerMax = Duration.seconds(10)

    func run(to sink: BenchSink) async throws -> LatencyFigures {
        if let core, !ProcessMeter.pin(to: core) { throw BenchFailure("no thread can be pinned to core \(core)") }
        let stage = try await FanoutStage(
            tokens: tokens,
            sink: sink,
            lanes: 1,
            villages: Self.villages,
            villageTokens: Self.villageTokens,
            observesAttempts: true
        )
        for village in 0..<Self.villages {
            await stage.send(BenchPublication.make(FanoutStage.village(village), revision: 1, clock: stage.clock))
        }
        try await Task.sleep(for: .seconds(1))
        var figures = LatencyFigures()
        figures.idle = try await times(on: stage, from: 2)
        let load = Task { await self.load(stage) }
        figures.busy = try await times(on: stage, from: Int64(publications) + 2)
        load.cancel()
        _ = await load.value
        await stage.stop()
        return figures
    }

    /// Fans out the large match without a pause: a newer state comes before the last one has reached everybody.
    private func load(_ stage: FanoutStage) async {
        var revision: Int64 = 1
        while !Task.isCancelled {
            await stage.dispatcher.publish(
                BenchPublication.make(FanoutStage.match, revision: revision, clock: stage.clock)
            )
            revision += 1
            try? await Task.sleep(for: .milliseconds(1_100))
        }
    }

    private func times(on stage: FanoutStage, from first: Int64) async throws -> LatencyFigures.Times {
        var found = LatencyFigures.Times()
        for revision in first..<(first + Int64(publications)) {
            try await Task.sleep(for: Self.pause)
            let village = FanoutStage.village(Int(revision) % Self.villages)
            _ = stage.attempts.take(village)
            let start = stage.clock.monotonic
            await stage.dispatcher.publish(
                BenchPublication.make(village, revision: revision, clock: stage.clock, isWicket: true)
            )
            let (sent, answered) = try await firstAnswer(of: village, on: stage)
            found.sent.append((sent - start).inSeconds * 1000)
            found.answered.append((answered - start).inSeconds * 1000)
        }
        found.sent.sort()
        found.answered.sort()
        return found
    }

    private func firstAnswer(
        of village: MatchID,
        on stage: FanoutStage
    ) async throws -> (sent: Duration, answered: Duration) {
        let deadline = stage.clock.monotonic + Self.answerMax
        while stage.clock.monotonic < deadline {
            try await Task.sleep(for: Self.interval)
            let seen = stage.attempts.take(village)
            if let sent = seen.firstSentAt, let answered = seen.firstAcceptedAt { return (sent, answered) }
        }
        throw BenchFailure("a publication was not answered within \(Self.answerMax)")
    }
}

/// What `bench fanout --mode latency` found.
struct LatencyFigures: Sendable {
    /// Milliseconds from the hand-over of a publication, sorted.
    struct Times: Sendable {
        /// To the hand-over of its first request to a connection.
        var sent: [Double] = []
        /// To the first answer.
        var answered: [Double] = []
    }

    var idle = Times()
    var busy = Times()

    /// One JSON object.
    var json: [UInt8] {
        JSONWriter.document { json in
            for (name, times) in [("idle", idle), ("busy", busy)] {
                json.key(dynamic: name)
                json.object { fields in
                    fields.field("publications", times.sent.count)
                    for (name, part) in [("p50", 0.5), ("p99", 0.99)] {
                        fields.key(dynamic: name + "Milliseconds")
                        fields.number(Self.quantile(times.sent, part))
                        fields.key(dynamic: name + "MillisecondsToAnswer")
                        fields.number(Self.quantile(times.answered, part))
                    }
                }
            }
        }
    }

    /// Lines for people.
    var text: String {
        [("idle", idle), ("beside a fan-out", busy)].map { name, times in
            let (sent, answered) = (times.sent, times.answered)
            return "publication to first byte, \(name): p50 \(Self.quantile(sent, 0.5)) ms, p99 "
                + "\(Self.quantile(sent, 0.99)) ms; to first answer: p50 \(Self.quantile(answered, 0.5)) ms, p99 "
                + "\(Self.quantile(answered, 0.99)) ms (\(sent.count) times)"
        }.joined(separator: "\n")
    }

    private static func quantile(_ sorted: [Double], _ part: Double) -> Double {
        guard !sorted.isEmpty else { return 0 }
        return sorted[min(sorted.count - 1, Int((Double(sorted.count) * part).rounded(.up)) - 1)].rounded(to: 3)
    }
}
