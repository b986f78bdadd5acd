// The counts of phones, for summaries and tests; a fleet adds up those of all its phones.

public import LiveSurface
public import ScoreClient

/// Counts of one phone, or of several.
public struct PhoneSystemReport: Sendable, Hashable {
    /// Alerts that sounded, starts of activities left out.
    public var alertsSounded = 0
    /// Alerts among them that repeated a moment of a match.
    public var repeatedAlerts: [RepeatedAlert] = []
    /// Matches that have two cards on one screen now.
    public var cardsTwice = 0
    /// The longest time for which a match had two cards on one screen, real time.
    public var longestCardsTwice = Duration.zero
    /// Activities on a channel that run now.
    public var channelActivities = 0
    /// Activities that run now.
    public var runningActivities = 0
    /// Cards that show an end.
    public var endedCards = 0
    /// Drawings of an older revision under a newer timestamp.
    public var wentBack = 0
    /// Drawings of an older revision over one that the app had drawn without a timestamp.
    public var wentBackByOwnDrawing = 0
    /// Drawings; equal content is not drawn again.
    public var drawings = 0
    /// Reloads of widgets by push.
    public var widgetReloads = 0
    /// Pushes that changed nothing, by reason.
    public var drops: [PhoneDrop: Int] = [:]

    /// Alerts that repeated a moment.
    public var alertsTwice: Int { repeatedAlerts.count }

    /// Counts of no phone.
    public init() {}

    init(_ state: PhoneSystemState) {
        alertsSounded = state.centre.total
        repeatedAlerts = state.centre.repeats
        cardsTwice = state.overlaps.count
        longestCardsTwice = state.overlaps.longest
        for activity in state.activities {
            if activity.isRunning { runningActivities += 1 }
            if case .channel = activity.subscription, activity.isRunning { channelActivities += 1 }
            if activity.phase == .ended { endedCards += 1 }
        }
        wentBack = state.journal.backSteps
        wentBackByOwnDrawing = state.journal.backStepsOverApp
        drawings = state.journal.drawings
        widgetReloads = state.journal.widgetReloads
        drops = state.journal.drops
    }

    /// Adds the counts of other phones.
    public static func += (sum: inout Self, other: Self) {
        sum.alertsSounded += other.alertsSounded
        sum.repeatedAlerts += other.repeatedAlerts
        sum.cardsTwice += other.cardsTwice
        sum.longestCardsTwice = max(sum.longestCardsTwice, other.longestCardsTwice)
        sum.channelActivities += other.channelActivities
        sum.runningActivities += other.runningActivities
        sum.endedCards += other.endedCards
        sum.wentBack += other.wentBack
        sum.wentBackByOwnDrawing += other.wentBackByOwnDrawing
        sum.drawings += other.drawings
        sum.widgetReloads += other.widgetReloads
        sum.drops.merge(other.drops, uniquingKeysWith: +)
    }
}

/// A card on a phone's screen.
public struct PhoneCard: Sendable, Hashable {
    /// ActivityKit's id.
    public let activityID: String
    /// The match.
    public let matchID: String
    /// The drawing.
    public let content: LiveActivityAttributes.ContentState
    /// ActivityKit's state.
    public let phase: ObservedActivity.Phase
    /// Whether its updates come by a channel; no app can see that.
    public let isOnChannel: Bool

    init(_ activity: SimulatedActivity) {
        (activityID, matchID) = (activity.id, activity.attributes.matchId)
        (content, phase) = (activity.content, activity.phase)
        if case .channel = activity.subscription { isOnChannel = true } else { isOnChannel = false }
    }

    /// The revision of the drawing.
    public var revision: Int64 { content.rev }
}
