// Operators end streams of a build, a match or an age on every node; each node answers how many it has ended.

import FollowService
import Logging
import Postgres
import ScoreTypes
import Synchronization

/// Lists and ends streams.
protocol StreamControl: Sendable {
    /// The chosen streams of this node, oldest first.
    func streams(_ choice: StreamChoice) async throws -> [StreamView]
    /// Counts the chosen streams, or ends them within a spread of milliseconds; on this node, or on all.
    func order(_ choice: StreamChoice, spread: Int64?, everywhere: Bool) async throws -> StreamOrderAnswers
}

/// The streams of this node, and orders of and for the other ones.
final class StreamOrders: StreamControl {
    private static let orders = "stream_orders"
    private static let answers = "stream_answers"
    private static let notify = Statement("select pg_notify($1, $2)::text")

    private struct Pending: Sendable {
        var answers: StreamOrderAnswers
        let complete: FirstValue<Void>
    }

    private let hub: StreamHub
    private let devices: Devices
    private let nodes: LivingNodes
    private let pool: Pool
    private let node: NodeID
    private let pending = Mutex<[String: Pending]>([:])
    private let log = Logger(label: "score.stream.orders")

    init(hub: StreamHub, devices: Devices, pool: Pool, node: NodeID) {
        (self.hub, self.devices, self.pool, self.node) = (hub, devices, pool, node)
        nodes = LivingNodes(pool: pool)
    }

    func streams(_ choice: StreamChoice) async throws -> [StreamView] {
        var streams = await hub.streams(of: choice.match)
        let builds = try await devices.builds(of: Array(Set(streams.compactMap(\.device))))
        for place in streams.indices { streams[place].build = streams[place].device.flatMap { builds[$0] } }
        return streams.filter(choice.includes).sorted { $0.id < $1.id }
    }

    func order(_ choice: StreamChoice, spread: Int64?, everywhere: Bool) async throws -> StreamOrderAnswers {
        guard everywhere else {
            var answers = StreamOrderAnswers(expecting: [node])
            let count = try await perform(choice, spread: spread)
            _ = answers.take(StreamOrderAnswer(id: "", node: node, count: count))
            return answers
        }
        let id = String(UInt64.random(in: .min ... .max), radix: 16)
        let own = Pending(answers: StreamOrderAnswers(expecting: try await nodes.all()), complete: FirstValue())
        pending.withLock { $0[id] = own }
        defer { pending.withLock { $0[id] = nil } }
        try await send(StreamOrder(id: id, choice: choice, spread: spread).payload, on: Self.orders)
        // A node that does not answer in time is named in the result.
        try? await Deadline.run(ServerLimits.streamOrderWait, .unavailable("nodes")) { await own.complete.value() }
        return pending.withLock { $0[id]?.answers } ?? own.answers
    }

    /// Receives orders and answers until cancelled.
    func run(_ info: ConnectionInfo) async {
        let listener = Listener(info, channels: [Self.orders, Self.answers])
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { tasks in
                for await notification in listener.notifications {
                    guard case .message(let channel, let payload) = notification else { continue }
                    if channel == Self.answers {
                        if let answer = StreamOrderAnswer(payload) { self.take(answer) }
                    } else if let order = StreamOrder(payload) {
                        tasks.addTask { await self.carryOut(order) }
                    }
                }
            }
        } onCancel: {
            listener.stop()
        }
    }

    private func carryOut(_ order: StreamOrder) async {
        do {
            let count = try await perform(order.choice, spread: order.spread)
            let answer = StreamOrderAnswer(id: order.id, node: node, count: count)
            try await send(answer.payload, on: Self.answers)
        } catch {
            log.warning("order about streams not carried out", metadata: ["error": "\(error)"])
        }
    }

    /// Counts the chosen streams of this node, and ends them with a spread.
    private func perform(_ choice: StreamChoice, spread: Int64?) async throws -> Int64 {
        let chosen = try await streams(choice)
        if let spread {
            hub.disconnect(chosen.map(\.id), within: .milliseconds(spread))
            log.notice("streams ended by an operator", metadata: ["count": "\(chosen.count)"])
        }
        return Int64(chosen.count)
    }

    private func take(_ answer: StreamOrderAnswer) {
        let complete = pending.withLock { pending -> FirstValue<Void>? in
            guard pending[answer.id]?.answers.take(answer) == true else { return nil }
            return pending[answer.id]?.complete
        }
        complete?.set(())
    }

    private func send(_ payload: String, on channel: String) async throws {
        _ = try await pool.query(Self.notify, [.text(channel), .text(payload)]) { _ in 0 }
    }
}
