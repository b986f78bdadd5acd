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

    /// How each moment first reached the phone, starts of activities left out.
    private var sounded: [AlertKey: AlertArrival] = [:]
    /// Alerts that repeated a moment, oldest first.
    private(set) var repeats: [RepeatedAlert] = []
    /// All alerts that sounded, without starts.
    private(set) var total = 0
    /// Ordinary notifications, oldest first; one with the collapse id of another replaces it.
    private(set) var entries: [Entry] = []
    /// Starts of activities that sounded.
    private(set) var startsSounded = 0

    /// Presents the alert of an update, or of a start, which has no arrival; iOS ignores one without a title
    /// (OneSignal).
    mutating func present(_ alert: AlertText?, of match: String, _ arrival: AlertArrival?) {
        guard let alert, alert.title?.isEmpty == false else { return }
        if let arrival { sound(Self.key(alert, match), arrival) } else { startsSounded += 1 }
    }

    /// Lists a notification, and sounds it unless it is passive.
    ///
    /// - Returns: Whether a passive one has replaced another text.
    mutating func present(_ push: NotificationPush, collapseID: String?, _ arrival: AlertArrival) -> Bool {
        let key = Self.key(push.alert, push.match ?? "")
        var isCorrected = false
        if let collapseID, let place = entries.firstIndex(where: { $0.collapseID == collapseID }) {
            isCorrected = !push.isActive && entries[place].text != key
            entries.remove(at: place)
        }
        entries.append(Entry(text: key, collapseID: collapseID, thread: push.thread))
        if entries.count > SimulatorLimits.listedNotifications { entries.removeFirst() }
        if push.isActive { sound(key, arrival) }
        return isCorrected
    }

    private mutating func sound(_ key: AlertKey, _ arrival: AlertArrival) {
        if let first = sounded[key] {
            if repeats.count < SimulatorLimits.soundedMoments {
                repeats.append(RepeatedAlert(title: key.title, first: first, again: arrival))
            }
        } else {
            guard sounded.count < SimulatorLimits.soundedMoments else { return }
            sounded[key] = arrival
        }
        total += 1
    }

    private static func key(_ alert: AlertText, _ match: String) -> AlertKey {
        AlertKey(match: match, title: alert.title ?? "", body: alert.body ?? "")
    }
}
