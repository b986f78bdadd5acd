// Notifications for devices without a Live Activity, or for people with their own alert settings.

/// One notification as its renderer wrote it.
public struct NotificationContent: Sendable {
    /// The whole payload, one JSON object; sent as it is.
    public var payload: [UInt8]
    /// Whether it is listed without sound or screen: for quiet hours.
    public var isPassive: Bool
    /// `apns-collapse-id`: a later notification with the same id replaces this one; at most 64 bytes are used.
    ///
    /// The `apns-id` is derived from it, so the same notification of a device has the same id on every node.
    public var collapseID: String

    /// Makes the value from its fields.
    public init(payload: [UInt8], isPassive: Bool = false, collapseID: String) {
        self.payload = payload
        self.isPassive = isPassive
        self.collapseID = collapseID
    }

    /// Passive notifications wait for the phone to wake; all others are delivered at once.
    var priority: PushPriority { isPassive ? .five : .ten }
}
