// Whether a million Lock Screens are reached in seconds is the promise of the per-token path; this is its proof.

import Foundation
import PushDispatcher
import ScoreTypes

/// Sends states to many tokens through the whole dispatcher: arena, fan-out, TLS, answers, progress.
struct FanoutBench: Sendable {
    let options: BenchFanoutCommand

    /// Whether each state is a wicket, with an alert at priority 10.
    private var isWicket: Bool { options.mode == .wicket }

    /// Tokens that are sent to before anything is measured: connections, caches and memory are warm afterwards.
    private static let warmUpTokens = 4_000
    /// Two states of a match are at least a second apart; with the dispatcher's own grain.
    private static let pause = Duration.milliseconds(1_100)
    /// Time without news after which a count is final.
    private static let settleTime = Duration.milliseconds(300)

    func run(to sink: BenchSink) async throws -> FanoutFigures {
        let fixture = try await FanoutFixture(
            tokens: options.tokens,
            sink: sink,
            lanes: options.lanes,
            core: options.core,
            smallMatchTokens: Self.warmUpTokens,
            connections: options.connections,
            observesAttempts: isWicket
        )
        await fixture.send(BenchPublication.make(FanoutFixture.smallMatch, revision: 1, clock: fixture.clock))
        try await check(Self.warmUpTokens, on: fixture, sink)
        var figures = FanoutFigures()
        try await Task.sleep(for: LabLimits.gaugeAge)
        figures.connections.before = await fixture.openConnections()
        for round in 1...options.rounds {
            if round > 1 { try await Task.sleep(for: Self.pause) }
            let start = try await measure(Int64(round), on: fixture, into: &figures)
            try await check(Self.warmUpTokens + round * options.tokens, on: fixture, sink)
            if isWicket { try takeAnswers(since: start, on: fixture, into: &figures) }
        }
        try await Task.sleep(for: LabLimits.gaugeAge)
        figures.connections.after = await fixture.openConnections()
        await fixture.stop()
        return figures
    }

    /// Sends a state to all tokens; when it was published.
    private func measure(
        _ revision: Int64,
        on fixture: FanoutFixture,
        into figures: inout FanoutFigures
    ) async throws -> Duration {
        let publication = BenchPublication.make(
            FanoutFixture.match,
            revision: revision,
            clock: fixture.clock,
            isWicket: isWicket
        )
        let memory = ProcessMeter.residentBytes
        let (cpu, start) = (ProcessMeter.processorTime, fixture.clock.monotonic)
        await fixture.send(publication)
        let end = fixture.clock.monotonic
        figures.cpuSeconds += (ProcessMeter.processorTime - cpu).inSeconds
        figures.seconds += (end - start).inSeconds
        figures.lastPushesPerSecond = Double(options.tokens) / (end - start).inSeconds
        figures.pushes += options.tokens
        if figures.residentBytes.before == 0 { figures.residentBytes.before = memory }
        figures.residentBytes.after = ProcessMeter.residentBytes
        figures.peakResidentBytes = ProcessMeter.peakResidentBytes
        return start
    }

    /// Takes the times of the first and the last answer, which are none when an answer is missing.
    private func takeAnswers(
        since start: Duration,
        on fixture: FanoutFixture,
        into figures: inout FanoutFigures
    ) throws(MeasurementFailure) {
        let seen = fixture.attempts.take(FanoutFixture.match)
        guard let first = seen.firstAcceptedAt, let last = seen.lastAcceptedAt, seen.accepted >= options.tokens else {
            throw MeasurementFailure("\(options.tokens - seen.accepted) of \(options.tokens) pushes were missed")
        }
        figures.answered = ((first - start).inMilliseconds, (last - start).inMilliseconds)
    }

    /// Compares the dispatcher's count, and the sink's own, with what should have been sent so far; both are read
    /// after a while without news, so that too many are seen as well as too few.
    private func check(_ expected: Int, on fixture: FanoutFixture, _ sink: BenchSink) async throws {
        var (known, since) = ((-1, -1), ContinuousClock.now)
        let deadline = since + LabLimits.settling
        while ContinuousClock.now - since < Self.settleTime, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
            let now = (await fixture.accepted(), sink.answered ?? expected)
            if now != known { (known, since) = (now, ContinuousClock.now) }
        }
        guard known.0 == expected else { throw MeasurementFailure("\(known.0) of \(expected) pushes were accepted") }
        guard known.1 == expected else { throw MeasurementFailure("the sink got \(known.1) of \(expected) pushes") }
    }
}
