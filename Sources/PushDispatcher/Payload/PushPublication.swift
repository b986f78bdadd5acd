// The input of the dispatcher: bytes and numbers of one state, nothing about cricket.

public import ScoreTypes

/// One publication of a match, for every activity that follows it.
public struct PushPublication: Sendable {
    /// The match.
    public var match: MatchID
    /// The revision of the content state; one that is lower than the newest published is dropped.
    public var revision: Revision
    /// `aps.timestamp`: seconds since 1970, strictly increasing within a match.
    public var apnsTimestamp: Int64
    /// The encoded content state, one JSON object; variant 0.
    public var contentState: [UInt8]
    /// The same moment in other content states: variants 1 and following, in order.
    public var otherStates: [[UInt8]]
    /// Hash of the content state without its revision; equal hashes show the same.
    public var stateHash: UInt64
    /// Identifies the moment of the alert; an alert is sent once for each key.
    public var alertKey: String?
    /// The alert; nil for a silent publication.
    public var alert: PushAlert?
    /// The requested priority; the budget may lower it.
    public var priority: PushPriority
    /// Relevance score, 0 to 100.
    public var relevance: Int
    /// Whether it is the last publication of the match, which is sent as event `end`.
    public var isFinal: Bool
    /// Wall time of the journal's commit.
    public var committedAt: Instant
    /// Why it is published; decides pacing and suppression.
    public var cause: PushCause
    /// The revision that first announced the alert's moment; nil means this revision.
    ///
    /// A bucket whose recorded progress has reached it receives the state without the alert.
    public var alertRevision: Int64?
    /// The devices that the alert is for; a channel has its profile instead.
    public var alertReach: AlertReach
    /// Wall time of the alert; nil means `committedAt`.
    ///
    /// An activity that was registered later does not receive it.
    public var alertedAt: Instant?
    /// The keys of recent alerts that still hold, so that all others are withdrawn; nil if all hold.
    public var standingAlerts: Set<String>?

    /// Makes the value from its fields.
    public init(
        match: MatchID,
        revision: Revision,
        apnsTimestamp: Int64,
        contentState: [UInt8],
        otherStates: [[UInt8]] = [],
        stateHash: UInt64,
        alertKey: String? = nil,
        alert: PushAlert? = nil,
        priority: PushPriority = .five,
        relevance: Int = 50,
        isFinal: Bool = false,
        committedAt: Instant,
        cause: PushCause = .ordinary,
        alertRevision: Int64? = nil,
        alertReach: AlertReach = .everybody,
        standingAlerts: Set<String>? = nil
    ) {
        self.match = match
        self.revision = revision
        self.apnsTimestamp = apnsTimestamp
        self.contentState = contentState
        self.otherStates = otherStates
        self.stateHash = stateHash
        self.alertKey = alertKey
        self.alert = alert
        self.priority = priority
        self.relevance = relevance
        self.isFinal = isFinal
        self.committedAt = committedAt
        self.cause = cause
        self.alertRevision = alertRevision
        self.alertReach = alertReach
        self.standingAlerts = standingAlerts
    }
}

/// Title and body of an alert; iOS plays no sound without a title.
public struct PushAlert: Sendable, Hashable {
    /// First line.
    public let title: String
    /// Second line.
    public let body: String

    /// Makes the value from its fields.
    public init(title: String, body: String) {
        self.title = title
        self.body = body
    }
}

/// `apns-priority`: 10 is delivered at once and counts against the phone's budget, 5 when it suits the phone.
public enum PushPriority: Int, Sendable, Hashable, Comparable {
    case five = 5
    case ten = 10

    /// Orders 5 before 10.
    public static func < (left: PushPriority, right: PushPriority) -> Bool { left.rawValue < right.rawValue }
}

/// Why a publication exists.
public enum PushCause: Sendable, Hashable {
    /// The match progressed: paced, and dropped if unchanged.
    case ordinary
    /// A correction: sent at once, silently.
    case correction
    /// The same state with a new timestamp, so that an activity does not go stale: never dropped as unchanged.
    case keepAlive
}
