// The end of one activity: it is stale, unfollowed, renewed or over.

public import ScoreTypes

/// One end for one activity.
public struct PushEnd: Sendable {
    /// The device that shows the activity, with the activity's token.
    public let recipient: PushRecipient
    /// The final state.
    public let content: EndContent

    /// Makes the value from its fields.
    public init(_ recipient: PushRecipient, content: EndContent) {
        self.recipient = recipient
        self.content = content
    }
}

/// The final state, shared by all ends of one kind in a match.
public struct EndContent: Sendable {
    /// The match whose activity ends.
    public var match: MatchID
    /// The revision that the content state shows.
    public var revision: Revision
    /// `aps.timestamp`, seconds since 1970.
    public var apnsTimestamp: Int64
    /// The encoded content state.
    public var contentState: [UInt8]
    /// Time from `apnsTimestamp` until the activity disappears; zero removes it at once.
    public var dismissAfter: Duration

    /// Makes the value from its fields.
    public init(
        match: MatchID,
        revision: Revision,
        apnsTimestamp: Int64,
        contentState: [UInt8],
        dismissAfter: Duration = PushLimits.dismissAfter
    ) {
        self.match = match
        self.revision = revision
        self.apnsTimestamp = apnsTimestamp
        self.contentState = contentState
        self.dismissAfter = dismissAfter
    }
}
