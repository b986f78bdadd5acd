// The server's answers to one phone show which activities it knows, and which revisions the phone has confirmed.

import Foundation
import ScoreClient
import ScoreTypes
import Synchronization

/// The reports of one phone that the server has accepted.
final class PhoneReceipts: Sendable {
    /// The first answer that accepted a revision.
    struct Confirmation: Sendable, Hashable {
        let revision: Int64
        /// Milliseconds since 1970.
        let at: Int64
    }

    private struct State {
        /// When the server first knew the address of each activity, in milliseconds since 1970.
        var reportedAt: [String: Int64] = [:]
        /// When the server first had a push-to-start token, in milliseconds since 1970.
        var startTokenAt: Int64?
        var confirmed: [String: Int64] = [:]
        /// Each with a greater revision than the one before; the newest ones.
        var confirmations: [Confirmation] = []

        mutating func confirm(_ activity: String, _ revision: Int64, at now: Int64) {
            confirmed[activity] = max(confirmed[activity] ?? 0, revision)
            guard revision > confirmations.last?.revision ?? 0 else { return }
            if confirmations.count >= SimulatorLimits.timedReceipts { confirmations.removeFirst() }
            confirmations.append(Confirmation(revision: revision, at: now))
        }
    }

    private struct Telemetry: Decodable {
        struct Event: Decodable {
            let kind: String
            let activityId: String?
            let rev: Int64?
        }

        let events: [Event]
    }

    private struct Reconcile: Decodable {
        struct Activity: Decodable {
            let activityId: String
            let lastAppliedRev: Int64
        }

        let activities: [Activity]
    }

    private let clock: ServiceClock
    private let state = Mutex(State())

    /// Notes the times of answers by the wall time of a clock.
    init(clock: ServiceClock) { self.clock = clock }

    /// The newest confirmed revision of some activities; 0 for none.
    func newest(of activities: [String]) -> Int64 {
        state.withLock { state in activities.compactMap { state.confirmed[$0] }.max() ?? 0 }
    }

    /// Whether the server had a push-to-start token at a time, in milliseconds since 1970.
    func hadStartToken(at time: Int64) -> Bool { state.withLock { $0.startTokenAt.map { $0 <= time } ?? false } }

    /// Whether the server has the address of an activity.
    func hasReported(_ activity: String) -> Bool { reportTime(of: [activity]) != nil }

    /// When the server first knew the address of one of some activities, in milliseconds since 1970.
    func reportTime(of activities: [String]) -> Int64? {
        state.withLock { state in activities.compactMap { state.reportedAt[$0] }.min() }
    }

    /// The confirmations so far, in order.
    var confirmations: [Confirmation] { state.withLock { $0.confirmations } }

    /// Takes an answer that the phone has received.
    func note(_ request: ClientRequest, _ response: ClientResponse) {
        guard (200..<300).contains(response.status) else { return }
        let now = clock.wall.milliseconds
        let activity = "/v1/devices/me/activities/"
        switch (request.method, request.path) {
        case (.put, let path) where path.hasPrefix(activity):
            let id = String(path.dropFirst(activity.count))
            state.withLock { state in state.reportedAt[id] = state.reportedAt[id] ?? now }
        case (.put, "/v1/devices/me/push-tokens/pushToStart"):
            state.withLock { $0.startTokenAt = $0.startTokenAt ?? now }
        case (.post, "/v1/devices/me/telemetry"):
            guard let batch = Self.read(Telemetry.self, request) else { return }
            state.withLock { state in
                for event in batch.events where event.kind == "revApplied" {
                    if let id = event.activityId, let revision = event.rev { state.confirm(id, revision, at: now) }
                }
            }
        case (.post, "/v1/devices/me/reconcile"):
            guard let report = Self.read(Reconcile.self, request) else { return }
            state.withLock { state in
                for item in report.activities { state.confirm(item.activityId, item.lastAppliedRev, at: now) }
            }
        default: return
        }
    }

    private static func read<Body: Decodable>(_ type: Body.Type, _ request: ClientRequest) -> Body? {
        request.body.flatMap { try? JSONDecoder().decode(type, from: $0) }
    }
}
