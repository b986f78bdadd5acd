// People without a Live Activity, or with wishes of their own, get ordinary notifications.

public import ScoreTypes

/// What one ordinary notification says.
public struct NotificationContent: Sendable {
    /// The words.
    public var alert: PushAlert
    /// Groups notifications on the phone; the match's id.
    public var thread: String
    /// Relevance, 0 to 100; written as 0 to 1.
    public var relevance: Int
    /// A member beside `aps` for the app; nil for none.
    public var sideCar: SideCar?

    /// The registered category, which gives the notification its buttons; nil for none.
    public var category: String?
    /// How loudly it comes.
    public var interruption: Interruption
    /// `apns-collapse-id`: a later notification of the same id takes the place of this one; at most 64 bytes count.
    public var collapseID: String?

    /// How a notification interrupts, in Apple's words.
    public enum Interruption: String, Sendable, Hashable, CaseIterable {
        /// Into the list, without a sound or a lit screen: for quiet hours.
        case passive
        /// As usual.
        case active
        /// Through Focus and the summary, where the person allows it.
        case timeSensitive = "time-sensitive"
    }

    /// Fills in the fields.
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

    /// Passive ones wait for the phone to wake; all others come at once.
    var priority: PushPriority { interruption == .passive ? .five : .ten }

    /// A top-level member of the payload that iOS hands to the app unread.
    public struct SideCar: Sendable {
        /// The member's name.
        public var key: String
        /// One encoded JSON value.
        public var json: [UInt8]

        /// Fills in the fields.
        public init(key: String, json: [UInt8]) {
            self.key = key
            self.json = json
        }
    }
}

/// One notification for one device, or the background push that only wakes its app.
public struct PushNotification: Sendable {
    /// The match that it is about.
    public var match: MatchID
    /// The device that gets it.
    public var device: DeviceID
    /// The generation of its alert token.
    public var generation: Int32
    /// Apple's world of the token.
    public var environment: PushEnvironment
    /// The device's alert token.
    public var token: PushToken
    /// What it says; nil wakes the app without a word.
    public var content: NotificationContent?

    /// Fills in the fields.
    public init(
        match: MatchID,
        device: DeviceID,
        generation: Int32,
        environment: PushEnvironment,
        token: PushToken,
        content: NotificationContent?
    ) {
        self.match = match
        self.device = device
        self.generation = generation
        self.environment = environment
        self.token = token
        self.content = content
    }
}

/// Whom a notification goes to.
public struct NotificationRecipient: Sendable, Hashable {
    /// The device.
    public var device: DeviceID
    /// The generation of its alert token.
    public var generation: Int32
    /// Apple's world of the token.
    public var environment: PushEnvironment
    /// The device's alert token.
    public var token: PushToken

    /// Fills in the fields.
    public init(device: DeviceID, generation: Int32, environment: PushEnvironment, token: PushToken) {
        self.device = device
        self.generation = generation
        self.environment = environment
        self.token = token
    }
}
