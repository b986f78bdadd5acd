// Notifications for devices without a Live Activity, or for people with their own alert settings.

/// The content of one notification.
public struct NotificationContent: Sendable {
    /// Title and body.
    public var alert: PushAlert
    /// Groups notifications on the phone; the match id.
    public var thread: String
    /// Relevance, 0 to 100; written as 0 to 1.
    public var relevance: Int
    /// A member beside `aps` for the app; nil for none.
    public var sideCar: SideCar?

    /// The registered category, which gives the notification its buttons; nil for none.
    public var category: String?
    /// How it interrupts the person.
    public var interruption: Interruption
    /// `apns-collapse-id`: a later notification with the same id replaces this one; at most 64 bytes are used.
    public var collapseID: String?

    /// Apple's interruption levels.
    public enum Interruption: String, Sendable, Hashable, CaseIterable {
        /// Listed without sound or screen: for quiet hours.
        case passive
        /// The default.
        case active
        /// Breaks through Focus and the summary if the person allows it.
        case timeSensitive = "time-sensitive"
    }

    /// Makes the value from its fields.
    public init(
        alert: PushAlert,
        thread: String,
        relevance: Int = 50,
        sideCar: SideCar? = nil,
        category: String? = nil,
        interruption: Interruption = .active,
        collapseID: String? = nil
    ) {
        self.alert = alert
        self.thread = thread
        self.relevance = relevance
        self.sideCar = sideCar
        self.category = category
        self.interruption = interruption
        self.collapseID = collapseID
    }

    /// Passive notifications wait for the phone to wake; all others are delivered at once.
    var priority: PushPriority { interruption == .passive ? .five : .ten }

    /// A top-level member of the payload, which iOS passes to the app.
    public struct SideCar: Sendable {
        /// The member's name.
        public var key: String
        /// One encoded JSON value.
        public var json: [UInt8]

        /// Makes the value from its fields.
        public init(key: String, json: [UInt8]) {
            self.key = key
            self.json = json
        }
    }
}
