// A payload as iOS and the app together read it; what does not decode changes nothing on the phone.

import Foundation
import LiveSurface
import Synchronization

/// The parts of a Live Activity push that a phone acts on.
struct PushPayload: Decodable, Sendable {
    struct Aps: Decodable, Sendable {
        enum CodingKeys: String, CodingKey {
            case timestamp, event
            case contentState = "content-state"
            case attributes
            case inputPushToken = "input-push-token"
            case inputPushChannel = "input-push-channel"
            case alert
        }
        struct Alert: Decodable, Sendable { let title: String? }

        let timestamp: Int64?
        let event: String?
        let contentState: LiveActivityAttributes.ContentState?
        let attributes: LiveActivityAttributes?
        let inputPushToken: Int?
        let inputPushChannel: String?
        let alert: Alert?
    }

    let aps: Aps
}

/// Decodes each payload once for all the phones that receive it.
final class PushPayloadCache: Sendable {
    private let kept = Mutex<[(body: [UInt8], payload: PushPayload?)]>([])

    /// The payload; nil when a phone could not decode it.
    func payload(of body: [UInt8]) -> PushPayload? {
        kept.withLock { kept in
            if let known = kept.last(where: { $0.body == body }) { return known.payload }
            let payload = try? JSONDecoder().decode(PushPayload.self, from: Data(body))
            if kept.count >= SimulatorLimits.checkedBodies { kept.removeFirst() }
            kept.append((body, payload))
            return payload
        }
    }
}
