// Notifications for devices without a Live Activity, or for people with their own alert settings.

internal import ScoreTypes

/// One notification as its renderer wrote it.
public struct NotificationContent: Sendable {
    /// The whole payload, one JSON object; sent as it is.
    public var payload: [UInt8]
    /// The same notification at the interruption level `passive`; nil if `payload` has this level itself.
    ///
    /// iOS lists it without sound or screen. It repeats a request of unknown outcome. With the same collapse id it
    /// replaces a notification that has arrived.
    public var passivePayload: [UInt8]?
    /// Identifies the notification: a later one with the same id replaces it.
    ///
    /// The `apns-id` is derived from it and from `edition`, so the same notification of a device has the same id on
    /// every node.
    public var collapseID: String
    /// Distinguishes the texts that one notification has had: 0 for the first, the revision of a correction.
    public var edition: Int64 = 0
    /// Withdraws it while it waits; nil if its event cannot be corrected.
    public var recall: NotificationRecall?

    /// Makes the value from its fields.
    public init(
        payload: [UInt8],
        passivePayload: [UInt8]?,
        collapseID: String,
        edition: Int64 = 0,
        recall: NotificationRecall? = nil
    ) {
        self.payload = payload
        self.passivePayload = passivePayload
        self.collapseID = collapseID
        self.edition = edition
        self.recall = recall
    }

    /// Passive notifications wait for the phone to wake; all others are delivered at once.
    var priority: PushPriority { passivePayload == nil ? .five : .ten }

    /// `apns-collapse-id`: visible ASCII characters, at most 64; another id is replaced by its SHA-256.
    var collapseHeader: String {
        let text = collapseID.utf8
        guard text.count > PushLimits.collapseIDBytes || !text.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            return collapseID
        }
        return Hex.string(SHA256Digest.of(Array(text)))
    }
}
