// Virtual time and a queue of events that depends on the seed only.

import HTTP2
import ScoreTypes
import Synchronization

@testable import PushDispatcher

/// A queue of events, and a clock that jumps from one to the next.
///
/// Everything runs in the simulation's one task, one event after the other, which makes it safe to share.
final class SimulatedWorld: @unchecked Sendable {
    private struct Event {
        let due: Duration
        let number: UInt64
        let body: () -> Void
    }

    private static let begin: Duration = .seconds(1_000)
    private static let beginWall: Int64 = 1_800_000_000_000

    private(set) var now = begin
    var chance: SplitMix64
    private var events: [Event] = []
    private var lastNumber: UInt64 = 0
    /// Called after each jump, for what has a schedule of its own.
    var afterAdvance: (() -> Void)?

    init(seed: UInt64) { chance = SplitMix64(seed: seed) }

    var clock: ServiceClock {
        ServiceClock(monotonic: { self.now }, wall: { self.wall })
    }

    var wall: Instant { wall(at: elapsed) }
    /// Time since the beginning of the day.
    var elapsed: Duration { now - Self.begin }
    /// The date at a time since the beginning of the day.
    func wall(at elapsed: Duration) -> Instant { Instant(milliseconds: Self.beginWall + elapsed.milliseconds) }
    var nextDue: Duration? { events.first?.due }

    func after(_ wait: Duration, _ body: @escaping () -> Void) {
        lastNumber += 1
        let event = Event(due: now + wait, number: lastNumber, body: body)
        // Few events wait at a time, so that a sorted list suffices.
        var place = events.count
        while place > 0, events[place - 1].due > event.due { place -= 1 }
        events.insert(event, at: place)
    }

    /// Jumps to a moment and runs all events until then.
    func advance(to moment: Duration) {
        while let next = events.first, next.due <= moment {
            events.removeFirst()
            now = max(now, next.due)
            next.body()
        }
        now = max(now, moment)
        afterAdvance?()
    }

    func roll(_ probability: Double) -> Bool { chance.unit() < probability }
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &chance) }
    func wait(_ milliseconds: ClosedRange<Int>) -> Duration { .milliseconds(number(milliseconds)) }
}

/// A lane's thread in virtual time, which runs work at once.
final class SimulatedThread: LaneThread, @unchecked Sendable {
    // Confined to the simulation's task.
    private(set) var core: LaneCore?

    init(_ setting: LaneSetting, _ surroundings: any LaneRuntime) {
        var setting = setting
        // The simulation runs pending work itself.
        setting.tickInterval = .seconds(1_000_000)
        core = LaneCore(setting, in: surroundings)
    }

    func perform(_ body: @escaping @Sendable (LaneCore) -> Void) -> Bool {
        guard let core else { return false }
        body(core)
        return true
    }

    /// Whether a walk has work left.
    var isWalking: Bool { any { lane in lane.matches.contains { $0.fanout.wantsWalk || $0.fanout.hasUnverified } } }
    var hasDirected: Bool { any { $0.directed.count + $0.lifecycle.count + $0.broadcasts.count > 0 } }
    var nextRetry: Duration? {
        var due: [Duration] = []
        core?.forEach { lane in due += lane.matches.compactMap { $0.fanout.nextDue } }
        return due.min()
    }

    private func any(_ holds: (EnvironmentLane) -> Bool) -> Bool {
        var isFound = false
        core?.forEach { isFound = isFound || holds($0) }
        return isFound
    }

    func look() { core?.forEach { $0.runPendingWork() } }

    func stop() { core = nil }
    func ended() async {}
}
