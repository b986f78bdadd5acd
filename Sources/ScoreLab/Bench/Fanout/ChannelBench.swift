// A channel's promise is that the audience costs nothing: one request a state, however many look at it.

import Foundation
import PushDispatcher
import ScoreTypes

/// Sends wickets to a channel and counts what leaves.
struct ChannelBench: Sendable {
    let options: BenchFanoutCommand

    /// Two states on a channel are at least a second apart.
    private static let pause = Duration.milliseconds(1_100)

    func run(to sink: BenchSink) async throws -> ChannelFigures {
        guard let channel = ChannelID("YmVuY2gtZmluYWw=") else { throw MeasurementFailure("no channel id") }
        let fixture = try await FanoutFixture(
            tokens: 0,
            sink: sink,
            lanes: 1,
            core: options.core,
            channel: channel,
            observesAttempts: true
        )
        let before = sink.answered ?? 0
        var figures = ChannelFigures()
        for round in 1...options.rounds {
            let start = fixture.clock.monotonic
            await fixture.dispatcher.publish(
                BenchPublication.make(FanoutFixture.match, revision: Int64(round), clock: fixture.clock, isWicket: true)
            )
            let seen = try await answered(on: fixture, since: start)
            figures.requests += seen.accepted
            if let accepted = seen.firstAcceptedAt {
                figures.slowest = max(figures.slowest, accepted - start)
            }
            // A second request would come now.
            try await Task.sleep(for: Self.pause)
            figures.requests += fixture.attempts.take(FanoutFixture.match).accepted
        }
        figures.states = options.rounds
        figures.requestsSeenBySink = sink.answered.map { $0 - before }
        await fixture.stop()
        guard figures.requests == figures.states, figures.requestsSeenBySink ?? figures.states == figures.states else {
            throw MeasurementFailure(
                "\(figures.requests) requests (the sink saw \(figures.requestsSeenBySink ?? 0)) for "
                    + "\(figures.states) states"
            )
        }
        return figures
    }

    private func answered(on fixture: FanoutFixture, since start: Duration) async throws -> BenchAttempts.Seen {
        while fixture.clock.monotonic - start < LabLimits.benchAnswer {
            try await Task.sleep(for: .milliseconds(1))
            let seen = fixture.attempts.take(FanoutFixture.match)
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
    /// The longest time from a publication to its acceptance.
    var slowest = Duration.zero

    var json: [UInt8] {
        JSONWriter.document { json in
            json.field("states", states)
            json.field("requests", requests)
            if let requestsSeenBySink { json.field("requestsSeenBySink", requestsSeenBySink) }
            json.number("slowestAcceptedMilliseconds", slowest.inMilliseconds.rounded(to: 3))
        }
    }

    var text: String {
        let seen = requestsSeenBySink.map { " (the sink saw \($0))" } ?? ""
        return "\(states) wickets on a channel: \(requests) requests\(seen), "
            + "accepted after \(slowest.inMilliseconds.rounded(to: 1)) ms at most, whatever the audience"
    }
}
