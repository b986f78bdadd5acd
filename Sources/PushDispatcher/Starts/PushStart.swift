// A push that starts an activity on a phone whose app is not running.

public import ScoreTypes

/// One start for one device.
public struct PushStart: Sendable {
    /// The way in which the new activity receives updates.
    public enum Subscription: Sendable, Hashable {
        /// By a token that the phone registers (phones older than iOS 18).
        case token
        /// By a broadcast channel.
        case channel(ChannelID)
    }

    /// The device, with its push-to-start token.
    public let recipient: PushRecipient
    /// The way in which the activity receives updates.
    public let subscription: Subscription

    /// Makes the value from its fields.
    public init(_ recipient: PushRecipient, subscription: Subscription) {
        self.recipient = recipient
        self.subscription = subscription
    }
}

/// The content that all starts of one match share.
public struct StartContent: Sendable {
    /// The match that starts.
    public var match: MatchID
    /// The revision that the content state shows.
    public var revision: Revision
    /// `aps.timestamp`, seconds since 1970.
    public var apnsTimestamp: Int64
    /// The encoded content state.
    public var contentState: [UInt8]
    /// Name of the attributes type in the app.
    public var attributesType: String
    /// The encoded attributes.
    public var attributes: [UInt8]
    /// The alert that Apple requires in a start.
    public var alert: PushAlert
    /// Relevance score, 0 to 100.
    public var relevance: Int

    /// Makes the value from its fields.
    public init(
        match: MatchID,
        revision: Revision,
        apnsTimestamp: Int64,
        contentState: [UInt8],
        attributesType: String,
        attributes: [UInt8],
        alert: PushAlert,
        relevance: Int = 50
    ) {
        self.match = match
        self.revision = revision
        self.apnsTimestamp = apnsTimestamp
        self.contentState = contentState
        self.attributesType = attributesType
        self.attributes = attributes
        self.alert = alert
        self.relevance = relevance
    }
}
