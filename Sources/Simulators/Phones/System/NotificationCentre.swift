// A person notices each alert that sounds; the notification centre counts them by moment, so that repeats are visible.

/// The notifications of one phone.
struct NotificationCentre: Sendable {
    /// A moment as a person distinguishes it: the match and the texts.
    struct AlertKey: Sendable, Hashable {
        let match: String
        let title: String
        let body: String
    }

    /// A notification in the list.
    struct Entry: Sendable, Hashable {
        let text: AlertKey
        let collapseID: String?
        let thread: String?
    }

    /// How often each moment sounded, starts of activities left out.
    private(set) var sounded: [AlertKey: Int] = [:]
    /// Ordinary notifications, oldest first; one with the collapse id of another replaces it.
    private(set) var entries: [Entry] = []
    /// Starts of activities that sounded.
    private(set) var startsSounded = 0

    /// Alerts that repeated a moment.
    var repeats: Int { sounded.values.reduce(0) { $0 + $1 - 1 } }
    /// All alerts that sounded, without starts.
    var total: Int { sounded.values.reduce(0, +) }

    /// Presents the alert of an activity; iOS ignores one without a title (OneSignal).
    mutating func present(_ alert: AlertText?, of match: String, isStart: Bool) {
        guard let alert, alert.title?.isEmpty == false else { return }
        if isStart { startsSounded += 1 } else { sound(Self.key(alert, match)) }
    }

    /// Lists a notification, and sounds it unless it is passive.
    mutating func present(_ push: NotificationPush, collapseID: String?) {
        let key = Self.key(push.alert, push.match ?? "")
        if let collapseID { entries.removeAll { $0.collapseID == collapseID } }
        entries.append(Entry(text: key, collapseID: collapseID, thread: push.thread))
        if entries.count > SimulatorLimits.listedNotifications { entries.removeFirst() }
        if push.isActive { sound(key) }
    }

    private mutating func sound(_ key: AlertKey) {
        guard sounded.count < SimulatorLimits.soundedMoments || sounded[key] != nil else { return }
        sounded[key, default: 0] += 1
    }

    private static func key(_ alert: AlertText, _ match: String) -> AlertKey {
        AlertKey(match: match, title: alert.title ?? "", body: alert.body ?? "")
    }
}
