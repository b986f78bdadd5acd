// The dispatcher as a server runs it, with its tokens in the arena and everything else in memory.

import FollowService
import Foundation
import Postgres
import PushDispatcher
import ScoreTypes
import Synchronization

/// A running dispatcher that sends one push to each of some tokens.
struct SendRun: Sendable {
    static let environment = PushEnvironment.production
    private static let match = MatchID(unchecked: "bench-send")
    /// A wicket as the server sends it first, and as it repeats it without an answer.
    private static let notification = NotificationContent(
        payload: payload(level: "time-sensitive"),
        passivePayload: payload(level: "passive"),
        collapseID: "wicket/\(match)"
    )
    /// Time between two looks at the answers.
    private static let pause = Duration.milliseconds(20)

    private let recipients: [PushRecipient]
    private let dispatcher: Dispatcher
    private let answers: FinalAnswers
    private let work: Task<Void, Never>

    init(_ configuration: DispatcherConfiguration, tokens: [PushToken]) async throws {
        var chance = SplitMix64(seed: 1)
        recipients = tokens.map { token in
            PushRecipient(
                device: DeviceID(using: &chance),
                generation: 1,
                environment: Self.environment,
                token: token
            )
        }
        let answers = FinalAnswers()
        let clock = ServiceClock()
        let dispatcher = Dispatcher(
            configuration: configuration,
            tokens: try await Self.arena(of: recipients, clock),
            progress: BenchProgress(),
            channels: BenchChannels(match: Self.match, channel: nil, environment: Self.environment, now: clock.wall),
            providerTokens: BenchProviderTokens(),
            clock: clock,
            attempts: answers
        )
        self.dispatcher = dispatcher
        self.answers = answers
        work = Task { await dispatcher.run() }
    }

    /// Sends a push to each token, waits for the last final answer, and ends the dispatcher.
    func send(_ kind: SendBench.Kind, within limit: Duration) async -> SendFigures {
        let clock = ServiceClock()
        let start = clock.monotonic
        switch kind {
        case .update: await dispatcher.publish(BenchPublication.make(Self.match, revision: 1, clock: clock))
        case .notification: await dispatcher.notify(recipients, of: Self.match, Self.notification)
        }
        while answers.count < recipients.count, clock.monotonic - start < limit {
            try? await Task.sleep(for: Self.pause)
        }
        var figures = answers.figures
        figures.seconds = (clock.monotonic - start).inSeconds
        figures.missing = recipients.count - answers.count
        work.cancel()
        await work.value
        return figures
    }

    private static func payload(level: String) -> [UInt8] {
        Array(
            """
            {"aps":{"alert":{"title":"Wicket!","body":"Rowan Stonebridge c Marlow b Tolliver 45(32)"},\
            "sound":"default","thread-id":"bench-send","interruption-level":"\(level)"}}
            """.utf8
        )
    }

    private static func arena(of recipients: [PushRecipient], _ clock: ServiceClock) async throws -> ArenaIndex {
        // No connection is ever opened, because nothing is read or written.
        let nowhere = ConnectionInfo("host=/nonexistent")
        let arenas = ArenaIndex(info: nowhere, pool: Pool(nowhere, size: 1, name: "bench"), clock: clock)
        try await arenas.own(Bucket.all)
        var next = recipients.makeIterator()
        arenas.fill(match) { put in
            guard let recipient = next.next() else { return false }
            recipient.token.bytes.withUnsafeBytes { bytes in
                let activity = HeldActivity(
                    device: recipient.device,
                    generation: recipient.generation,
                    startedAt: 0,
                    environment: environment
                )
                put(ArenaEntry(activity, token: bytes))
            }
            return true
        }
        return arenas
    }
}

/// Counts the attempts of a run and the final answers among them.
private final class FinalAnswers: AttemptObserver {
    private let state = Mutex(SendFigures())

    var figures: SendFigures { state.withLock { $0 } }
    var count: Int { state.withLock { $0.accepted + $0.rejected + $0.givenUp } }

    func attempted(_ attempt: PushAttempt) {
        state.withLock { figures in
            figures.attempts += 1
            guard attempt.isFinal else { return }
            switch attempt.outcome {
            case .accepted: figures.accepted += 1
            case .rejected: figures.rejected += 1
            case .failed: figures.givenUp += 1
            }
        }
    }
}

/// The result of `bench send`.
struct SendFigures: Report, Sendable {
    var attempts = 0
    var accepted = 0
    var rejected = 0
    /// Failed, and not repeated any more.
    var givenUp = 0
    /// Without a final answer at the end.
    var missing = 0
    var seconds = 0.0

    var json: [UInt8] {
        JSONWriter.document { json in
            json.field("attempts", attempts)
            json.field("accepted", accepted)
            json.field("rejected", rejected)
            json.field("givenUp", givenUp)
            json.field("missing", missing)
            json.number("seconds", seconds.rounded(to: 3))
        }
    }

    var text: String {
        "\(accepted) accepted, \(rejected) rejected, \(givenUp) given up and \(missing) unanswered "
            + "after \(attempts) requests in \(seconds.rounded(to: 2)) s"
    }
}
