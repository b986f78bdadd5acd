// Measures the delay of a small match's wicket while a large match is sent.

import Foundation
import LiveActivities
import Postgres
import PushDispatcher
import ScoreTypes

/// Times the balls of small matches, idle and beside a fan-out.
///
/// The clock starts when a ball's commit in the journal has been answered; what follows is a server's own way: the
/// publisher reads the journal, folds and renders, the dispatcher sends. It is read twice: when the first request is
/// handed to its connection, which writes it in the same turn of the loop, and when the first answer is read. The first
/// byte leaves between the two.
struct LatencyBench: Sendable {
    let options: BenchFanoutCommand

    /// Followers of each small match.
    private static let smallMatchTokens = 100
    /// From one timed ball to the next, so that those of one match are more than ten seconds apart.
    private static let pause = Duration.milliseconds(105)
    /// How often it is looked whether a publication was answered.
    private static let answerPoll = Duration.milliseconds(5)
    /// Idle timers measured for each ball, for comparison.
    ///
    /// A ball wakes the threads of the journal, the publisher and the dispatcher, and that of the loop.
    private static let wakeUps = 8
    /// The sleep of each idle timer, in microseconds.
    private static let nap: UInt32 = 50

    func run(to sink: BenchSink, on database: ConnectionInfo) async throws -> LatencyFigures {
        let publications = options.publications
        let fixture = try await FanoutFixture(
            tokens: options.tokens,
            sink: sink,
            lanes: 1,
            core: options.core,
            smallMatches: SmallMatches.count,
            smallMatchTokens: Self.smallMatchTokens,
            observesAttempts: true
        )
        let dispatcher = fixture.dispatcher
        let rounds = (publications + SmallMatches.count - 1) / SmallMatches.count
        let smallMatches = try await SmallMatches(on: database, steps: 2 * rounds + 1, clock: fixture.clock) {
            await dispatcher.publish($0.push)
        }
        // The first ball of each match opens connections, prepares statements and builds its state: it is not timed.
        _ = try await times(SmallMatches.count, of: smallMatches, on: fixture, from: 0)
        var figures = LatencyFigures()
        figures.idle = try await times(publications, of: smallMatches, on: fixture, from: 1)
        let load = Task { await self.load(fixture) }
        figures.busy = try await times(publications, of: smallMatches, on: fixture, from: 1 + rounds)
        load.cancel()
        _ = await load.value
        await smallMatches.stop()
        await fixture.stop()
        return figures
    }

    /// Fans out the large match without a pause: a newer state comes before the last one has reached everybody.
    private func load(_ fixture: FanoutFixture) async {
        var revision: Int64 = 1
        while !Task.isCancelled {
            await fixture.dispatcher.publish(
                BenchPublication.make(FanoutFixture.match, revision: revision, clock: fixture.clock)
            )
            revision += 1
            try? await Task.sleep(for: .milliseconds(1_100))
        }
    }

    private func times(
        _ count: Int,
        of smallMatches: SmallMatches,
        on fixture: FanoutFixture,
        from step: Int
    ) async throws -> LatencyFigures.Times {
        var (machine, toSent, toAnswer): ([Duration], [Duration], [Duration]) = ([], [], [])
        for number in 0..<count {
            try await Task.sleep(for: Self.pause)
            let smallMatch = number % SmallMatches.count
            _ = fixture.attempts.take(FanoutFixture.smallMatch(smallMatch))
            let committed = try await smallMatches.play(smallMatch, step: step + number / SmallMatches.count)
            let (sent, answered) = try await firstAnswer(of: FanoutFixture.smallMatch(smallMatch), on: fixture)
            machine.append(Self.wakeUpTime())
            toSent.append(sent - committed)
            toAnswer.append(answered - committed)
        }
        return LatencyFigures.Times(
            sent: DurationSet(toSent),
            answered: DurationSet(toAnswer),
            machine: DurationSet(machine)
        )
    }

    /// The delay of an idle timer of the machine, woken as often as a ball is sent.
    ///
    /// A machine that is shared takes longer at times, and no server on it can be quicker.
    private static func wakeUpTime() -> Duration {
        let start = ContinuousClock.now
        for _ in 0..<wakeUps { usleep(nap) }
        return ContinuousClock.now - start
    }

    private func firstAnswer(
        of smallMatch: MatchID,
        on fixture: FanoutFixture
    ) async throws -> (sent: Duration, answered: Duration) {
        let deadline = fixture.clock.monotonic + LabLimits.benchAnswer
        while fixture.clock.monotonic < deadline {
            try await Task.sleep(for: Self.answerPoll)
            let seen = fixture.attempts.take(smallMatch)
            if let sent = seen.firstSentAt, let answered = seen.firstAcceptedAt { return (sent, answered) }
        }
        throw MeasurementFailure("a publication was not answered within \(LabLimits.benchAnswer)")
    }
}

/// The result of `bench fanout --mode latency`.
struct LatencyFigures: Report, Sendable {
    /// Times from the commit of a ball.
    struct Times: Sendable {
        /// To the hand-over of its first request to a connection.
        var sent = DurationSet()
        /// To the first answer.
        var answered = DurationSet()
        /// As many wake-ups of a thread, beside each ball.
        var machine = DurationSet()
    }

    var idle = Times()
    var busy = Times()

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
                        fields.key(dynamic: name + "MillisecondsOfMachine")
                        fields.number(Self.quantile(times.machine, part))
                    }
                }
            }
        }
    }

    var text: String {
        [("idle", idle), ("beside a fan-out", busy)].map { name, times in
            let (sent, answered, machine) = (times.sent, times.answered, times.machine)
            return "journal commit to first byte, \(name): p50 \(Self.quantile(sent, 0.5)) ms, p99 "
                + "\(Self.quantile(sent, 0.99)) ms; to first answer: p50 \(Self.quantile(answered, 0.5)) ms, p99 "
                + "\(Self.quantile(answered, 0.99)) ms; as many idle wake-ups: p50 "
                + "\(Self.quantile(machine, 0.5)) ms, p99 \(Self.quantile(machine, 0.99)) ms (\(sent.count) times)"
        }.joined(separator: "\n")
    }

    private static func quantile(_ times: DurationSet, _ part: Double) -> Double {
        times.percentile(part).inMilliseconds.rounded(to: 3)
    }
}
