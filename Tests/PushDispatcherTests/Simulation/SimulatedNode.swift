// A node of the simulated day: the real dispatcher, whose threads, sockets and timers are the simulation's.

import ScoreTypes

@testable import PushDispatcher

/// One dispatcher that works when it is looked at.
final class SimulatedNode {
    let dispatcher: Dispatcher
    let apple: SimulatedApple

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
                apple.thread = thread
                return thread
            }
        )
    }

    /// What the dispatcher's own tasks do ten times a second.
    func look() async {
        await dispatcher.renewProviderTokens()
        apple.thread?.look()
        await dispatcher.digest()
        await dispatcher.tick()
        await dispatcher.channels.tick()
        apple.thread?.look()
        await dispatcher.digest()
    }

    func stop() async {
        apple.isNodeDead = true
        apple.thread?.stop()
    }
}
