// The state of the Lock Screens of a fleet, for summaries and tests.

/// Counts of phones, compared with a revision.
public struct PhoneFleetReport: Sendable, Equatable {
    /// Phones in the fleet.
    public var phones = 0
    /// Phones that have to show the revision: all but those with a ``PhoneObstacle`` now.
    public var reachable = 0
    /// Phones that show the revision, or a later one.
    public var atNewest = 0
    /// Reachable phones that show the revision, or a later one.
    public var reachableAtNewest = 0
    /// Reloads of widgets by push.
    public var widgetReloads = 0
    /// Phones whose widget has the snapshot of the revision, or of a later one.
    public var widgetsAtNewest = 0
    /// Phones from which the server has accepted a receipt of the revision.
    public var confirmed = 0
    /// Reachable phones with a card from which the server has accepted no receipt of the revision.
    public var unconfirmed = 0
    /// Phones that have shown an activity of the match.
    public var started = 0
    /// Phones whose activity was ended.
    public var ended = 0
    /// Phones without a fault that have an activity and an iOS with broadcast channels.
    public var channelPhones = 0
    /// Phones without a fault that have an iOS whose widgets are reloaded by push.
    public var widgetPhones = 0
    /// Activities on broadcast channels.
    public var channelActivities = 0
    /// Phones that show two cards of the match, or did for longer than a renewal takes.
    public var cardsTwice = 0
    /// Alerts that sounded again on the same phone.
    public var repeatedAlerts: [RepeatedAlert] = []
    /// Times that a state was shown after a newer one.
    public var wentBack = 0
    /// The same over a state that the app had drawn itself, on systems that take no timestamp with it (before 17.2).
    public var wentBackByOwnDrawing = 0
    /// Pushes that did not decode on a phone.
    public var undecodable = 0

    /// The number of alerts that sounded again.
    public var alertsTwice: Int { repeatedAlerts.count }

    /// Phones that have not confirmed the revision.
    public var unknown: Int { phones - confirmed }

    /// Adds the counts of other phones.
    static func += (sum: inout Self, other: Self) {
        sum.phones += other.phones
        sum.reachable += other.reachable
        sum.atNewest += other.atNewest
        sum.reachableAtNewest += other.reachableAtNewest
        sum.widgetReloads += other.widgetReloads
        sum.widgetsAtNewest += other.widgetsAtNewest
        sum.confirmed += other.confirmed
        sum.unconfirmed += other.unconfirmed
        sum.started += other.started
        sum.ended += other.ended
        sum.channelPhones += other.channelPhones
        sum.widgetPhones += other.widgetPhones
        sum.channelActivities += other.channelActivities
        sum.cardsTwice += other.cardsTwice
        sum.repeatedAlerts += other.repeatedAlerts
        sum.wentBack += other.wentBack
        sum.wentBackByOwnDrawing += other.wentBackByOwnDrawing
        sum.undecodable += other.undecodable
    }
}
