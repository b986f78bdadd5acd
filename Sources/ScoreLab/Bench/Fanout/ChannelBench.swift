// A channel's promise is that the audience costs nothing: one request a state, however many look at it.

import Foundation
import PushDispatcher
import ScoreTypes

/// Sends wickets to a channel and counts what leaves.
struct ChannelBench: Sendable {
    /// Wickets sent one after the other.
    let rounds: Int
    /// The core that the dispatcher is pinned to; nil leaves it free.
    let core: Int?

    /// Two states on a channel are at least a second apart.
    private static let pause = Duration.milliseconds(1_100)

    func run(to sink: BenchSink) async throws -> ChannelFigures {
        try ProcessMeter.pin(to: core)
        guard let channel = ChannelID("YmVuY2gtZmluYWw=") else { throw MeasurementFailure("no channel id") }
        let stage = try await FanoutStage(tokens: 0, sink: sink, lanes: 1, channel: channel, observesAttempts: true)
        let before = sink.answered ?? 0
        var figures = ChannelFigures()
        for round in 1...max(1, rounds) {
            let start = stage.clock.monotonic
            await stage.dispatcher.publish(
                BenchPublication.make(FanoutStage.match, revision: Int64(round), clock: stage.clock, isWicket: true)
            )
            let seen = try await answered(on: stage, since: start)
            figures.requests += seen.accepted
            if let accepted = seen.firstAcceptedAt {
                figures.acceptedMilliseconds.append((accepted - start).inSeconds * 1000)
            }
            // A second request would come now.
            try await Task.sleep(for: Self.pause)
            figures.requests += stage.attempts.take(FanoutStage.match).accepted
        }
        figures.states = max(1, rounds)
        figures.requestsSeenBySink = sink.answered.map { $0 - before }
        await stage.stop()
        return figures
    }

    private func answered(on stage: FanoutStage, since start: Duration) async throws -> BenchAttempts.Seen {
        while stage.clock.monotonic - start < LabLimits.benchAnswer {
            try await Task.sleep(for: .milliseconds(1))
            let seen = stage.attempts.take(FanoutStage.match)
            if seen.accepted > 0 { return seen }
        }
        throw MeasurementFailure("a broadcast was not accepted within \(LabLimits.benchAnswer)")
    }
}

/// The result of `bench fanout --mode channel`.
struct ChannelFigures: Report, Sendable {
    var states = 0
    var requests = 0
    /// By the sink's own count; nil for one that was started elsewhere.
    var requestsSeenBySink: Int?
    var acceptedMilliseconds: [Double] = []

    var json: [UInt8] {
        JSONWriter.document { json in
            json.field("states", states)
            json.field("requests", requests)
            if let requestsSeenBySink { json.field("requestsSeenBySink", requestsSeenBySink) }
            json.number("slowestAcceptedMilliseconds", (acceptedMilliseconds.max() ?? 0).rounded(to: 3))
        }
    }

    var text: String {
        let slowest = (acceptedMilliseconds.max() ?? 0).rounded(to: 1)
        let seen = requestsSeenBySink.map { " (the sink saw \($0))" } ?? ""
        return "\(states) wickets on a channel: \(requests) requests\(seen), "
            + "accepted after \(slowest) ms at most, whatever the audience"
    }
}
