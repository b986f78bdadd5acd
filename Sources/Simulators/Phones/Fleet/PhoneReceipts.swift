// The server's answers to one phone show which activities it knows, and which revisions the phone has confirmed.

import Foundation
import ScoreClient
import Synchronization

/// The reports of one phone that the server has accepted.
final class PhoneReceipts: Sendable {
    private struct State {
        var reported: Set<String> = []
        var confirmed: [String: Int64] = [:]
    }

    private struct Batch: Decodable {
        struct Event: Decodable {
            let kind: String
            let activityId: String?
            let rev: Int64?
        }

        let events: [Event]
    }

    private let state = Mutex(State())

    /// The newest confirmed revision of some activities; 0 for none.
    func newest(of activities: [String]) -> Int64 {
        state.withLock { state in activities.compactMap { state.confirmed[$0] }.max() ?? 0 }
    }

    /// Whether the server has the address of an activity.
    func hasReported(_ activity: String) -> Bool { state.withLock { $0.reported.contains(activity) } }

    /// Takes an answer that the phone has received.
    func note(_ request: ClientRequest, _ response: ClientResponse) {
        guard (200..<300).contains(response.status) else { return }
        let activity = "/v1/devices/me/activities/"
        switch request.method {
        case .put where request.path.hasPrefix(activity):
            state.withLock { _ = $0.reported.insert(String(request.path.dropFirst(activity.count))) }
        case .post where request.path == "/v1/devices/me/telemetry":
            guard let body = request.body, let batch = try? JSONDecoder().decode(Batch.self, from: body) else { return }
            state.withLock { state in
                for event in batch.events where event.kind == "revApplied" {
                    guard let activity = event.activityId, let revision = event.rev else { continue }
                    state.confirmed[activity] = max(state.confirmed[activity] ?? 0, revision)
                }
            }
        default: return
        }
    }
}
