// Whether a million Lock Screens are reached in seconds is the promise of the per-token path; this is its proof.

import Foundation
import PushDispatcher
import ScoreTypes

/// Sends states to many tokens through the whole dispatcher: arena, fan-out, TLS, answers, progress.
struct FanoutBench: Sendable {
    let tokens: Int
    /// States sent one after the other, each to all tokens.
    let rounds: Int
    let lanes: Int
    /// The core that the dispatcher is pinned to; nil leaves it free.
    let core: Int?
    /// Whether each state is a wicket, with an alert at priority 10.
    let isWicket: Bool

    /// Tokens that are sent to before anything is measured: connections, caches and memory are warm afterwards.
    private static let warmUpTokens = 4_000
    /// Two states of a match are at least a second apart; with the dispatcher's own grain.
    private static let pause = Duration.milliseconds(1_100)
    /// Time without news after which a count is final.
    private static let settleTime = Duration.milliseconds(300)

    func run(to sink: BenchSink) async throws -> FanoutFigures {
        try ProcessMeter.pin(to: core)
        let stage = try await FanoutStage(
            tokens: tokens,
            sink: sink,
            lanes: lanes,
            villageTokens: Self.warmUpTokens,
            observesAttempts: isWicket
        )
        await stage.send(BenchPublication.make(FanoutStage.village, revision: 1, clock: stage.clock))
        try await check(Self.warmUpTokens, on: stage, sink)
        var figures = FanoutFigures()
        for round in 1...max(1, rounds) {
            if round > 1 { try await Task.sleep(for: Self.pause) }
            try await measure(Int64(round), on: stage, into: &figures)
            try await check(Self.warmUpTokens + round * tokens, on: stage, sink)
        }
        await stage.stop()
        return figures
    }

    private func measure(_ revision: Int64, on stage: FanoutStage, into figures: inout FanoutFigures) async throws {
        let publication = BenchPublication.make(
            FanoutStage.match,
            revision: revision,
            clock: stage.clock,
            isWicket: isWicket
        )
        let memory = ProcessMeter.residentBytes
        let (cpu, start) = (ProcessMeter.processorTime, stage.clock.monotonic)
        await stage.send(publication)
        let end = stage.clock.monotonic
        figures.cpuSeconds += (ProcessMeter.processorTime - cpu).inSeconds
        figures.seconds += (end - start).inSeconds
        figures.pushes += tokens
        if figures.residentBytes.before == 0 { figures.residentBytes.before = memory }
        figures.residentBytes.after = ProcessMeter.residentBytes
        figures.peakResidentBytes = ProcessMeter.peakResidentBytes
        guard isWicket else { return }
        let seen = stage.attempts.take(FanoutStage.match)
        guard let first = seen.firstAcceptedAt, let last = seen.lastAcceptedAt else { return }
        figures.answered = ((first - start).inSeconds * 1000, (last - start).inSeconds * 1000)
    }

    /// Compares the dispatcher's count, and the sink's own, with what should have been sent so far; both are read
    /// after a while without news, so that too many are seen as well as too few.
    private func check(_ expected: Int, on stage: FanoutStage, _ sink: BenchSink) async throws {
        var (known, since) = ((-1, -1), ContinuousClock.now)
        let deadline = since + LabLimits.settling
        while ContinuousClock.now - since < Self.settleTime, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
            let now = (await stage.accepted(), sink.answered ?? expected)
            if now != known { (known, since) = (now, ContinuousClock.now) }
        }
        guard known.0 == expected else { throw MeasurementFailure("\(known.0) of \(expected) pushes were accepted") }
        guard known.1 == expected else { throw MeasurementFailure("the sink got \(known.1) of \(expected) pushes") }
    }
}
