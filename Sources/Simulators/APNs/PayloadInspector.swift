// Reads a Live Activity payload once, however many tokens get it: what it is, and whether a phone would show it.

import Foundation

/// What a payload says.
struct InspectedPayload: Sendable, Hashable {
    /// `start`, `update`, `end`; nil for an ordinary notification.
    var event: String?
    /// `rev` of the content state, when it has one.
    var revision: Int64?
    var hasAlert = false
    /// Why a phone would show nothing although Apple answers 200; nil for a good one.
    var trap: String?
}

/// Inspects payloads, each once; confined to one loop.
struct PayloadInspector {
    /// Bodies remembered: a fan-out has one or two in flight.
    private static let knownMax = 16

    private var known: [(body: [UInt8], payload: InspectedPayload)] = []

    /// The payload, or nil when it is no JSON object with `aps`.
    mutating func inspect(_ body: [UInt8]) -> InspectedPayload? {
        if let found = known.last(where: { $0.body == body }) { return found.payload }
        guard let payload = Self.read(body) else { return nil }
        if known.count >= Self.knownMax { known.removeFirst() }
        known.append((body, payload))
        return payload
    }

    private static func read(_ body: [UInt8]) -> InspectedPayload? {
        guard let top = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
            let aps = top["aps"] as? [String: Any]
        else { return nil }
        var payload = InspectedPayload()
        payload.hasAlert = aps["alert"] != nil
        guard let event = aps["event"] as? String else { return payload }
        payload.event = event
        let state = aps["content-state"] as? [String: Any]
        payload.revision = state?["rev"] as? Int64 ?? (state?["rev"] as? Int).map(Int64.init)
        payload.trap = trap(event: event, aps: aps, state: state)
        return payload
    }

    /// Apple accepts these and the phone drops them (apns reference 1.9).
    private static func trap(event: String, aps: [String: Any], state: [String: Any]?) -> String? {
        guard ["start", "update", "end"].contains(event) else { return "unknown event" }
        guard let timestamp = aps["timestamp"] as? Int, timestamp > 1_000_000_000, timestamp < 100_000_000_000 else {
            return "timestamp is not in seconds"
        }
        guard timestamp < Int(Date().timeIntervalSince1970) + 8 * 3600 else { return "timestamp too far ahead" }
        guard state != nil else { return "no content-state" }
        if let stale = aps["stale-date"], !(stale is Int) { return "stale-date is no whole number" }
        if aps["dismissal-date"] != nil && event != "end" { return "dismissal-date without end" }
        guard event == "start" else { return nil }
        guard aps["attributes-type"] is String else { return "start without attributes-type" }
        guard aps["attributes"] is [String: Any] else { return "start without attributes" }
        guard let alert = aps["alert"] as? [String: Any], alert["title"] is String else { return "start without alert" }
        return nil
    }
}
