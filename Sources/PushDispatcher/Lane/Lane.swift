// The handle of a lane: one thread with its connections, reached only by messages.

internal import HTTP2
internal import ScoreTypes
internal import Synchronization

/// A loop that serves a share of the buckets in all environments.
final class Lane: Sendable {
    let index: Int
    private let loop: EventLoop
    private let door = Door()

    /// Names the lane's inside once the thread has made it.
    private final class Door: Sendable {
        let key = Mutex<LoopKey<LaneCore>?>(nil)
    }

    /// Starts the thread; its connections are dialled as soon as there is a provider token.
    init(_ setting: LaneSetting) {
        index = setting.index
        let loop = EventLoop(name: "push-\(setting.index)")
        self.loop = loop
        let door = door
        _ = loop.execute { context in
            let key = context.keep(LaneCore(setting, in: context))
            door.key.withLock { $0 = key }
        }
    }

    /// Runs a body with the lane's inside, on its thread; false when the lane is over or too far behind.
    @discardableResult
    func perform(_ body: @escaping @Sendable (LaneCore) -> Void) -> Bool {
        let door = door
        return loop.execute { context in
            // Work runs in order, so the inside was made by the first piece.
            if let key = door.key.withLock({ $0 }), let core = context[key] { body(core) }
        }
    }

    /// Closes the connections and ends the thread; requests under way become ambiguous.
    func stop() {
        perform { $0.stop() }
        loop.stop()
    }
}

/// The inside of a lane; confined to its loop.
final class LaneCore {
    private let environments: [EnvironmentLane]

    init(_ setting: LaneSetting, in context: LoopContext) {
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
