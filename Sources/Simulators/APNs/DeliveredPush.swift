// A push as it reaches one phone, after Apple has accepted it.

public import ScoreTypes

/// The kinds of token that iOS gives to an app.
public enum PhoneTokenKind: Sendable, Hashable {
    case alert, pushToStart, activity, widget
}

/// The effect of a push on the phone.
public enum PushEvent: String, Sendable, Hashable, CaseIterable {
    /// The three of a Live Activity.
    case start, update, end
    /// A notification.
    case alert
    /// A silent wake-up of the app.
    case background
    /// A reload of the app's widgets.
    case widgets
}

/// An accepted push; phones that get the same one share the bytes.
public struct DeliveredPush: Sendable {
    /// Its effect.
    public let event: PushEvent
    /// `aps.timestamp` in seconds since 1970; 0 for notifications without one.
    public let timestamp: Int64
    /// The whole payload.
    public let body: [UInt8]
    /// `apns-priority`: 10, 5 or 1.
    public let priority: Int
    /// Whether `aps.alert` is there and the interruption level is not `passive`.
    public let hasAlert: Bool
    /// `rev` of the content state, when it has one.
    public let revision: Int64?
    /// The channel that it came by; nil for a push to a token.
    public let channel: ChannelID?
    /// `apns-expiration` in seconds since 1970; 0 for a single attempt, nil when it was left out.
    public let expiration: Int64?
    /// `apns-collapse-id`; nil for none.
    public let collapseID: String?
    /// When APNs accepted it, on the wall clock.
    public let acceptedAt: Instant
}
