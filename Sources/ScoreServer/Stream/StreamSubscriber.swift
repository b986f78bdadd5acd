// One open stream: the hub adds events, its writer takes them, the hub's tick checks its times.

import MatchEngine
import NIOCore
import ScoreTypes
import Synchronization

/// The events of one connection, between the hub and the connection's writer.
final class StreamSubscriber: Sendable {
    private struct State {
        var mailbox: StreamMailbox
        var waiter: CheckedContinuation<Void, Never>?
        var isWriting = false
        var changedAt: Duration
        var closesAt: Duration
    }

    let matches: [MatchID]
    private let timing: StreamTiming
    private let heartbeat: Duration
    private let state: Mutex<State>

    init(matches: [MatchID], positions: StreamPositions, timing: StreamTiming, now: Duration) {
        self.matches = matches
        self.timing = timing
        heartbeat = timing.heartbeat * Double.random(in: 0.9...1.1)
        let age = timing.maxAge * Double.random(in: 0.8...1.2)
        state = Mutex(
            State(
                mailbox: StreamMailbox(matches: matches, positions: positions),
                changedAt: now,
                closesAt: now + age
            )
        )
    }

    /// Adds a state, and returns whether an older one was skipped.
    func offer(_ frame: StreamFrame) -> Bool { change { $0.mailbox.offer(frame) } }

    /// Adds an event that moves no position.
    func notify(_ event: ByteBuffer) { change { $0.mailbox.notify(event) } }

    /// Marks a state that the opening contains.
    func markSent(_ frame: StreamFrame) { change { $0.mailbox.markSent(frame) } }

    /// Ends the stream after the events that wait.
    func close(_ reason: StreamEnd, reconnectAfter: Duration = .seconds(1)) {
        let bye = EventText.event("bye") { json in
            json.field("reason", reason.rawValue)
            json.field("reconnectAfterMs", reconnectAfter.milliseconds)
        }
        change { $0.mailbox.close(reason, bye: bye) }
    }

    /// Why the stream is closing; nil while it is not.
    var endReason: StreamEnd? { state.withLock { $0.mailbox.endReason } }

    /// Waits for something to write.
    func next() async -> StreamMailbox.Delivery {
        while true {
            if let delivery = state.withLock({ $0.mailbox.take() }) { return delivery }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        guard state.mailbox.isEmpty else { return true }
                        state.waiter = continuation
                        return false
                    }
                    if isReady { continuation.resume() }
                }
            } onCancel: {
                close(.client)
            }
        }
    }

    /// Called before and after each write, so that a tick can see one that does not end.
    func writing(_ isWriting: Bool, now: Duration) {
        state.withLock { state in
            state.isWriting = isWriting
            state.changedAt = now
            if !isWriting && state.mailbox.hasSentAllEnds {
                state.closesAt = min(state.closesAt, now + timing.lingerAfterEnd)
            }
        }
    }

    /// Sends a ping when idle and ends an old stream; false when a write takes longer than `writeDeadline`.
    func tick(now: Duration, ping: ByteBuffer) -> Bool {
        enum Step { case none, ping, age, end, stalled }
        let step: Step = state.withLock { state in
            if state.isWriting { return now - state.changedAt > timing.writeDeadline ? .stalled : .none }
            if state.mailbox.endReason != nil { return .none }
            if now >= state.closesAt { return state.mailbox.hasSentAllEnds ? .end : .age }
            return now - state.changedAt >= heartbeat ? .ping : .none
        }
        switch step {
        case .none: break
        case .ping: change { $0.mailbox.notify(ping, isPing: true) }
        case .age: close(.maxAge, reconnectAfter: .milliseconds(Int64.random(in: 100...2_000)))
        case .end: close(.matchOver)
        case .stalled: return false
        }
        return true
    }

    private func change<Result>(_ body: (inout State) -> Result) -> Result where Result: Sendable {
        let (result, waiter) = state.withLock { state in
            let result = body(&state)
            guard !state.mailbox.isEmpty else { return (result, CheckedContinuation<Void, Never>?.none) }
            defer { state.waiter = nil }
            return (result, state.waiter)
        }
        waiter?.resume()
        return result
    }
}
