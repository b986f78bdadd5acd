// What the pipeline hands over for one reply, moment or keep-alive: bytes and numbers, nothing about the game.

public import ScoreTypes

/// One publication of a match, to be brought to every activity that follows it.
public struct PushPublication: Sendable {
    /// The match whose activities get it.
    public var match: MatchID
    /// The revision that the content state shows; a lower one than the last launched is dropped.
    public var revision: Revision
    /// `aps.timestamp`: seconds since 1970, strictly growing inside a match.
    public var apnsTimestamp: Int64
    /// The encoded content state, one JSON object; variant 0.
    public var contentState: [UInt8]
    /// The same moment for activities that decode something else: variant 1 and following, in their order.
    public var otherStates: [[UInt8]]
    /// Hash of the content state without its revision; equal hashes are equal pictures.
    public var stateHash: UInt64
    /// Names the moment that the alert tells; an alert is told once for each key.
    public var alertKey: String?
    /// What the alert says; nil for a silent publication.
    public var alert: PushAlert?
    /// What the moment deserves; the budget may lower it.
    public var priority: PushPriority
    /// Relevance score, 0 to 100.
    public var relevance: Int
    /// The last publication of the match: it goes out as event `end`.
    public var isFinal: Bool
    /// How long after `apnsTimestamp` the phone calls the picture stale.
    public var staleAfter: Duration
    /// How long after `apnsTimestamp` an ended activity stays; nil means four hours.
    public var dismissAfter: Duration?
    /// When the journal's commit was made.
    public var committedAt: Instant
    /// When the reply that led to it had been read.
    public var seenAt: Instant
    /// Why it is published, which decides about pacing and about suppression.
    public var cause: PushCause
    /// The revision at which the alert's moment was first told; nil means this revision.
    ///
    /// A bucket whose recorded progress has reached it gets the picture without the alert.
    public var alertRevision: Int64?
    /// Whom the alert is for, as far as tokens go; a channel has its profile.
    public var alertReach: AlertReach
    /// The keys of recent alerts whose moments still stand, so that all others are told no more; nil when all do.
    public var standingAlerts: Set<String>?

    /// Fills in the fields.
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
        staleAfter: Duration = PushLimits.staleAfter,
        dismissAfter: Duration? = nil,
        committedAt: Instant,
        seenAt: Instant,
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
        self.staleAfter = staleAfter
        self.dismissAfter = dismissAfter
        self.committedAt = committedAt
        self.seenAt = seenAt
        self.cause = cause
        self.alertRevision = alertRevision
        self.alertReach = alertReach
        self.standingAlerts = standingAlerts
    }
}

/// The words of an alert; iOS plays no sound for one without a title.
public struct PushAlert: Sendable, Hashable {
    /// The first line.
    public let title: String
    /// The second line.
    public let body: String

    /// Fills in the fields.
    public init(title: String, body: String) {
        self.title = title
        self.body = body
    }
}

/// `apns-priority`: ten is delivered at once and draws on the phone's budget, five when it suits the phone.
public enum PushPriority: Int, Sendable, Hashable, Comparable {
    case five = 5
    case ten = 10

    /// Orders five before ten.
    public static func < (left: PushPriority, right: PushPriority) -> Bool { left.rawValue < right.rawValue }
}

/// Why a publication exists.
public enum PushCause: Sendable, Hashable {
    /// The game went on: paced, and dropped when the picture did not change.
    case ordinary
    /// Something was put right: sent at once, silently.
    case correction
    /// The same picture with a new timestamp, so that a waiting activity does not go stale: never dropped as unchanged.
    case keepAlive
}
