// The JSON bodies of pushes, written around content states that were encoded once.

internal import ScoreTypes

/// Writes the request bodies, each at most `PushLimits.payloadBytes` long.
public enum Envelope {
    /// Event `update`, or `end` if the publication is final; without an alert the push is silent.
    ///
    /// - Parameters:
    ///   - publication: The publication.
    ///   - alert: The alert; nil for none.
    ///   - contentState: A different content state; nil for the publication's own.
    /// - Returns: The body.
    /// - Throws: `PayloadError.tooLarge`.
    public static func update(
        _ publication: PushPublication,
        alert: PushAlert?,
        contentState: [UInt8]? = nil
    ) throws(PayloadError) -> [UInt8] {
        try checked(publication.isFinal ? .end : .update) { aps in
            let state = contentState ?? publication.contentState
            head(publication.isFinal ? .end : .update, publication.apnsTimestamp, state, into: &aps)
            if publication.isFinal {
                aps.field("dismissal-date", publication.apnsTimestamp &+ PushLimits.dismissAfter.components.seconds)
            } else {
                writeStaleness(publication.apnsTimestamp, publication.relevance, into: &aps)
            }
            if let alert { write(alert, into: &aps) }
        }
    }

    /// Event `start` with its attributes and the alert, without which the phone shows nothing.
    ///
    /// - Throws: `PayloadError.tooLarge`.
    public static func start(
        _ start: StartContent,
        subscription: PushStart.Subscription
    ) throws(PayloadError) -> [UInt8] {
        try checked(.start) { aps in
            head(.start, start.apnsTimestamp, start.contentState, into: &aps)
            aps.field("attributes-type", start.attributesType)
            aps.key("attributes")
            aps.raw(start.attributes)
            switch subscription {
            case .token: aps.field("input-push-token", 1)
            case .channel(let channel): aps.field("input-push-channel", channel.text)
            }
            writeStaleness(start.apnsTimestamp, start.relevance, into: &aps)
            write(start.alert, into: &aps)
        }
    }

    /// Event `end` with the final state.
    ///
    /// - Throws: `PayloadError.tooLarge`.
    public static func end(_ end: EndContent) throws(PayloadError) -> [UInt8] {
        try checked(.end) { aps in
            head(.end, end.apnsTimestamp, end.contentState, into: &aps)
            aps.field("dismissal-date", end.apnsTimestamp &+ end.dismissAfter.components.seconds)
        }
    }

    /// The payload of a notification, as its renderer wrote it.
    ///
    /// - Throws: `PayloadError.tooLarge`.
    public static func notification(_ content: NotificationContent) throws(PayloadError) -> [UInt8] {
        try checked(.alert, content.payload)
    }

    /// A background push that only wakes the app.
    ///
    /// - Throws: `PayloadError.tooLarge`.
    public static func background() throws(PayloadError) -> [UInt8] {
        try checked(.background) { aps in aps.field("content-available", 1) }
    }

    /// A push by which WidgetKit reloads the app's widgets; it has no content.
    ///
    /// - Throws: `PayloadError.tooLarge`.
    public static func widgets() throws(PayloadError) -> [UInt8] {
        try checked(.widgets) { aps in aps.field("content-changed", true) }
    }

    private static func head(_ event: PayloadKind, _ timestamp: Int64, _ state: [UInt8], into aps: inout JSONWriter) {
        aps.field("timestamp", timestamp)
        aps.field("event", event.rawValue)
        aps.key("content-state")
        aps.raw(state)
    }

    private static func writeStaleness(_ timestamp: Int64, _ relevance: Int, into aps: inout JSONWriter) {
        aps.field("stale-date", timestamp &+ PushLimits.staleAfter.components.seconds)
        aps.field("relevance-score", relevance)
    }

    private static func write(_ alert: PushAlert, into aps: inout JSONWriter) {
        aps.key("alert")
        aps.object { fields in
            fields.field("title", alert.title)
            fields.field("body", alert.body)
            fields.field("sound", "default")
        }
    }

    private static func checked(
        _ kind: PayloadKind,
        aps: (inout JSONWriter) -> Void
    ) throws(PayloadError) -> [UInt8] {
        try checked(
            kind,
            JSONWriter.document(reservingBytes: PushLimits.payloadBytes) { root in
                root.key("aps")
                root.object(aps)
            }
        )
    }

    private static func checked(_ kind: PayloadKind, _ bytes: [UInt8]) throws(PayloadError) -> [UInt8] {
        guard bytes.count <= PushLimits.payloadBytes else { throw .tooLarge(kind: kind, byteCount: bytes.count) }
        return bytes
    }
}

/// The kind of a push; the label of metrics and logs.
public enum PayloadKind: String, Sendable, Hashable, CaseIterable {
    case update, start, end, alert, background, widgets
}

/// Why a body could not be made.
public enum PayloadError: Error, Hashable, CustomStringConvertible {
    /// The body exceeds Apple's limit; nothing was sent.
    case tooLarge(kind: PayloadKind, byteCount: Int)

    /// One sentence, without anything secret.
    public var description: String {
        switch self {
        case .tooLarge(let kind, let byteCount):
            "\(kind.rawValue) payload: expected at most \(PushLimits.payloadBytes) bytes, got \(byteCount)"
        }
    }
}
