// A changed switch takes effect on every node within a second: by a notification, and by a clock when one expires.

import Logging
import Postgres
import PushDispatcher
import ScoreTypes
import Synchronization

/// Applies the switches of the database to this node.
final class FlagWatch: Sendable {
    private struct State {
        /// The state of each switch that this node has acted on.
        var applied: [FlagName: Bool] = [:]
        /// Whether the last read failed.
        var isStale = false
    }

    private let store: any FlagStore
    private let cache: FlagCache
    private let hub: StreamHub
    /// nil on a node that pushes nothing.
    private let dispatcher: Dispatcher?
    /// The log levels, which are announced on the same channel; nil in tests of switches alone.
    private let levels: LogLevelFollower?
    private let state = Mutex(State())
    private let log = Logger(label: "score.flags")

    init(
        _ store: any FlagStore,
        cache: FlagCache,
        hub: StreamHub,
        dispatcher: Dispatcher?,
        levels: LogLevelFollower? = nil
    ) {
        (self.store, self.cache, self.hub, self.dispatcher) = (store, cache, hub, dispatcher)
        self.levels = levels
    }

    /// Reads the switches and applies them; before the node sends anything.
    func load() async throws {
        cache.replace(try await store.all())
        await apply()
        try await levels?.load()
    }

    /// Follows changes until cancelled.
    func run(_ info: ConnectionInfo) async {
        let listener = Listener(info, channels: [FlagRecords.channel])
        await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { tasks in
                tasks.addTask { for await _ in listener.notifications { await self.reload() } }
                tasks.addTask {
                    // A switch that expires has no notification.
                    while !Task.isCancelled {
                        try? await Task.sleep(for: ServerLimits.flagInterval)
                        if self.state.withLock({ $0.isStale }) { await self.reload() } else { await self.apply() }
                    }
                }
                await tasks.waitForAll()
            }
        } onCancel: {
            listener.stop()
        }
    }

    private func reload() async {
        do {
            try await load()
            state.withLock { $0.isStale = false }
        } catch {
            state.withLock { $0.isStale = true }
            log.warning("switches not read", metadata: ["error": "\(error)"])
        }
    }

    private func apply() async {
        await apply(.streams) { hub.accept($0) }
        guard let dispatcher else { return }
        for environment in PushEnvironment.allCases {
            await apply(FlagName(of: environment)) { isOn in
                if isOn { await dispatcher.resume(environment) } else { await dispatcher.pause(environment) }
            }
        }
        await apply(.pushToStart) { await dispatcher.allowStarts($0) }
    }

    /// Acts on a switch whose state is not the one that was acted on last.
    private func apply(_ name: FlagName, _ act: (Bool) async -> Void) async {
        let isOn = cache.isOn(name)
        let isNew = state.withLock { state in
            defer { state.applied[name] = isOn }
            return state.applied[name, default: true] != isOn
        }
        guard isNew else { return }
        await act(isOn)
        log.notice("switch applied", metadata: ["flag": "\(name.rawValue)", "on": "\(isOn)"])
    }
}
