// Reads a payload once, however many tokens get it: what it is, and whether a phone would show it.

import ScoreTypes

/// The fields of a payload that the simulator uses.
struct InspectedPayload: Sendable, Hashable {
    let body: [UInt8]
    /// Nil when the payload names none or an unknown one.
    var event: PushEvent?
    /// `aps.timestamp` in seconds; 0 without.
    var timestamp: Int64 = 0
    /// `rev` of the content state, when it has one.
    var revision: Int64?
    var hasAlert = false
    /// Why a phone would show nothing although Apple answers 200; nil for a good one.
    var trap: String?

    /// The trap, those included that depend on the time.
    func trap(now: Int64) -> String? {
        trap ?? (timestamp - now > SimulatorLimits.timestampAheadSeconds ? "timestamp too far ahead" : nil)
    }
}

/// Inspects payloads, each once; confined to one loop.
struct PayloadInspector {
    private var known: [InspectedPayload] = []

    /// Reads a body; the result is cached, since a million requests may have the same one.
    mutating func inspect(_ body: UnsafeRawBufferPointer) -> InspectedPayload {
        if let first = known.first, body.equals(first.body) { return first }
        if let index = known.firstIndex(where: { body.equals($0.body) }) {
            known.swapAt(0, index)
            return known[0]
        }
        let payload = Self.read([UInt8](body))
        if known.count >= SimulatorLimits.checkedBodies { known.removeLast() }
        known.insert(payload, at: 0)
        return payload
    }

    private static func read(_ body: [UInt8]) -> InspectedPayload {
        var payload = InspectedPayload(body: body)
        guard let aps = try? JSONElement(parsing: body, .lenient)["aps"], aps.isObject else {
            payload.trap = "no JSON object with aps"
            return payload
        }
        payload.hasAlert = aps["alert"] != nil
        guard let event = aps["event"] else {
            payload.event = eventOfApp(aps)
            if payload.event == nil { payload.trap = "neither event nor alert" }
            return payload
        }
        let named = event.string.flatMap { PushEvent(rawValue: $0) }
        guard let named, [.start, .update, .end].contains(named) else {
            payload.trap = "unknown event"
            return payload
        }
        payload.event = named
        let state = aps["content-state"].flatMap { $0.isObject ? $0 : nil }
        payload.revision = state?["rev"]?.integer
        payload.timestamp = aps["timestamp"]?.integer ?? 0
        payload.trap = trap(named, aps: aps, state: state)
        return payload
    }

    /// The effect of a payload without an event; only the value true reloads widgets.
    private static func eventOfApp(_ aps: JSONElement) -> PushEvent? {
        if aps["alert"] != nil { return .alert }
        if aps["content-changed"]?.bool == true { return .widgets }
        return aps["content-available"] != nil ? .background : nil
    }

    /// Apple accepts these and the phone drops them (rules of ActivityKit's push payload).
    private static func trap(_ event: PushEvent, aps: JSONElement, state: JSONElement?) -> String? {
        // Milliseconds would be past the year 5000, a date of Swift's epoch before 2002.
        guard let timestamp = aps["timestamp"]?.integer, (1_000_000_000..<100_000_000_000).contains(timestamp) else {
            return "timestamp is not in seconds"
        }
        guard state != nil else { return "no content-state" }
        if let stale = aps["stale-date"], stale.integer == nil { return "stale-date is no whole number" }
        if let dismissal = aps["dismissal-date"] {
            if event != .end { return "dismissal-date without end" }
            if dismissal.integer == nil { return "dismissal-date is no whole number" }
        }
        guard event == .start else { return nil }
        guard aps["attributes-type"]?.string != nil else { return "start without attributes-type" }
        guard aps["attributes"]?.isObject == true else { return "start without attributes" }
        guard aps["alert"]?["title"]?.string != nil else { return "start without alert" }
        if aps["input-push-token"] != nil && aps["input-push-channel"] != nil { return "start by token and channel" }
        return nil
    }
}
