// A node of the simulated day: the real dispatcher, whose threads, sockets and timers are the simulation's.

import ScoreTypes

@testable import PushDispatcher

/// One dispatcher that works when it is looked at.
final class SimulatedNode {
    let dispatcher: Dispatcher
    let apple: SimulatedApple
    private let thread: SimulatedThread

    init(
        _ configuration: DispatcherConfiguration,
        _ world: SimulatedWorld,
        _ apple: SimulatedApple,
        tokens: SimulatedTokens,
        progress: MemoryProgress,
        channels: MemoryChannels,
        providerTokens: MemoryProviderTokens
    ) {
        self.apple = apple
        var made: SimulatedThread?
        dispatcher = Dispatcher(
            configuration: configuration,
            tokens: tokens,
            progress: progress,
            channels: channels,
            providerTokens: providerTokens,
            clock: world.clock,
            observer: nil,
            attempts: nil,
            idKey: [1],
            maySend: { true },
            seed: world.chance.next(),
            thread: { setting in
                let thread = SimulatedThread(setting, apple)
                made = thread
                return thread
            }
        )
        thread = made.unsafelyUnwrapped
    }

    /// What the dispatcher's own tasks do ten times a second.
    func look() async {
        await dispatcher.renewProviderTokens()
        thread.look()
        await dispatcher.digest()
        await dispatcher.tick()
        await dispatcher.channels.tick()
        thread.look()
        await dispatcher.digest()
    }

    func stop() async {
        apple.isNodeDead = true
        thread.stop()
    }
}
