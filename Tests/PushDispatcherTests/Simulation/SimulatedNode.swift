// A node of the simulated day: the real dispatcher with simulated threads, sockets and timers.

import ScoreTypes
import Synchronization

@testable import PushDispatcher

/// One dispatcher that works when the simulation calls it.
final class SimulatedNode {
    let dispatcher: Dispatcher
    let apple: SimulatedApple
    private let thread: SimulatedThread
    private let channels: MemoryChannels

    /// The thread that the dispatcher made.
    private final class Made: Sendable {
        let thread = Mutex<SimulatedThread?>(nil)
    }

    /// The dispatcher made no thread.
    struct Unmade: Error {}

    init(
        _ configuration: DispatcherConfiguration,
        _ world: SimulatedWorld,
        _ apple: SimulatedApple,
        tokens: SimulatedTokens,
        progress: MemoryProgress,
        channels: MemoryChannels,
        providerTokens: MemoryProviderTokens
    ) throws {
        self.apple = apple
        self.channels = channels
        let made = Made()
        var configuration = configuration
        configuration.seed = world.chance.next()
        configuration.thread = { setting in
            let thread = SimulatedThread(setting, apple)
            made.thread.withLock { $0 = thread }
            return thread
        }
        dispatcher = Dispatcher(
            configuration: configuration,
            tokens: tokens,
            progress: progress,
            channels: channels,
            providerTokens: providerTokens,
            clock: world.clock,
            observer: nil,
            attempts: nil,
            idKey: [1]
        )
        guard let thread = made.thread.withLock({ $0 }) else { throw Unmade() }
        self.thread = thread
    }

    /// A node that sends to production only, with its own stores except that of the channels.
    convenience init(
        _ world: SimulatedWorld,
        _ apple: SimulatedApple,
        tokens: SimulatedTokens,
        channels: MemoryChannels = MemoryChannels()
    ) throws {
        let configuration = DispatcherConfiguration(
            bundleID: "app.score",
            teamID: "TEAMTEAM01",
            keyID: "ABCDEFGHIJ",
            signingKey: try SigningKey(pem: Fixture.sharedKeyPEM),
            environments: [.production: .apple(.production)]
        )
        try self.init(
            configuration,
            world,
            apple,
            tokens: tokens,
            progress: MemoryProgress(),
            channels: channels,
            providerTokens: MemoryProviderTokens(clock: world.clock)
        )
    }

    /// Does what the dispatcher's own tasks do ten times a second.
    func look() async {
        await dispatcher.renewProviderTokens()
        thread.look()
        await dispatcher.digest()
        await dispatcher.tick()
        await dispatcher.channels.tick()
        thread.look()
        await dispatcher.digest()
    }

    /// The activity of a node.
    enum Activity {
        /// Requests are open.
        case busy
        /// Something waits: for its pace, a connection, or its record.
        case waiting
        /// Only retries wait, the first of them until then.
        case repeating(at: Duration)
        /// Nothing waits; every phone should have every state.
        case resting
    }

    func activity() async -> Activity {
        if apple.inFlight > 0 || thread.isWalking { return .busy }
        let status = await dispatcher.status()
        // An unaccepted end is repeated after a minute, and its phone shows the state before until then.
        let isWaiting =
            apple.isDelivering || status.unrecordedSends > 0 || status.endsWaiting > 0
            || status.matches.contains { $0.waitingRevision != nil }
        if isWaiting || thread.hasDirected || channelsAreBehind(status) { return .waiting }
        return thread.nextRetry.map { .repeating(at: $0) } ?? .resting
    }

    private func channelsAreBehind(_ status: DispatcherStatus) -> Bool {
        let sent = channels.state.withLock { $0.records.filter { $0.retiredAt == nil } }
        return sent.contains { record in
            status.matches.contains { $0.match == record.match && ($0.revision ?? 0) > record.sentRevision }
        }
    }

    func stop() async {
        apple.isNodeDead = true
        thread.stop()
    }
}
