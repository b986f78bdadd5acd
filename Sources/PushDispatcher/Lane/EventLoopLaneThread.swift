// A lane is one thread with its connections, reached by messages only.

internal import HTTP2
internal import ScoreTypes
internal import Synchronization

/// A lane on an event loop, which serves a share of the buckets in all environments.
final class EventLoopLaneThread: LaneThread {
    private let loop: EventLoop
    private let coreKey = CoreKey()

    /// The key of the lane's core, set by the thread.
    private final class CoreKey: Sendable {
        let key = Mutex<LoopKey<LaneCore>?>(nil)
    }

    /// Starts the thread; its connections are dialled as soon as there is a provider token.
    init(
        _ setting: LaneSetting,
        around: @escaping @Sendable (LoopContext) -> any LaneRuntime = { $0 }
    ) {
        let loop = EventLoop(name: "push-\(setting.index)")
        self.loop = loop
        let coreKey = coreKey
        _ = loop.execute { context in
            let key = context.keep(LaneCore(setting, in: around(context)))
            coreKey.key.withLock { $0 = key }
        }
    }

    func perform(_ body: @escaping @Sendable (LaneCore) -> Void) -> Bool {
        let coreKey = coreKey
        return loop.execute { context in
            // Work runs in order, so the first piece has made the core.
            if let key = coreKey.key.withLock({ $0 }), let core = context[key] { body(core) }
        }
    }

    func stop() {
        _ = perform { $0.stop() }
        loop.stop()
    }

    func ended() async { await loop.ended() }
}

/// The part of a lane that is confined to its loop.
final class LaneCore {
    private let environments: [EnvironmentLane]

    init(_ setting: LaneSetting, in context: any LaneRuntime) {
        environments = setting.configuration.environments.sorted { $0.key.code < $1.key.code }.map {
            EnvironmentLane($0.key, $0.value, setting, in: context)
        }
        for lane in environments { lane.tick() }
    }

    subscript(environment: PushEnvironment) -> EnvironmentLane? {
        environments.first { $0.environment == environment }
    }

    func forEach(_ body: (EnvironmentLane) -> Void) { environments.forEach(body) }

    func stop() { environments.forEach { $0.stop() } }
}
