// The payloads of notifications: Apple's part, and the side-car with which an app refreshes its surfaces.

/// The payload of a notification, from a snapshot of kind `notification`.
public struct NotificationPayload: Codable, Hashable, Sendable {
    /// The version of the contract.
    public internal(set) var schemaVersion = SurfaceGeneration()
    /// The keys for APNs.
    public internal(set) var aps: Aps
    /// The keys for the app.
    public let liveSurface: SideCar

    /// The same notification at the level `passive`: iOS lists it without a sound, and leaves the screen as it is.
    public var passive: NotificationPayload {
        var payload = self
        payload.aps.interruptionLevel = SurfaceSnapshot.InterruptionLevel.passive.apnsWord
        return payload
    }

    /// The same notification at the level `passive` without a sound: a correction that replaces an alert.
    public var silent: NotificationPayload {
        var payload = passive
        payload.aps.sound = nil
        return payload
    }

    /// The texts of an alert.
    public struct Alert: Hashable, Sendable {
        /// The title.
        public let title: NotificationText
        /// The line below it; nil for none.
        public let subtitle: NotificationText?
        /// The text.
        public let body: NotificationText

        /// Makes an alert.
        public init(title: NotificationText, subtitle: NotificationText? = nil, body: NotificationText) {
            self.title = title
            self.subtitle = subtitle
            self.body = body
        }
    }

    /// The keys of APNs.
    public struct Aps: Codable, Hashable, Sendable {
        /// The texts.
        public let alert: Alert
        /// `default`; nil for a correction, which makes none.
        public internal(set) var sound: String? = "default"
        /// The registered category; nil for none.
        public internal(set) var category: String?
        /// The thread by which notifications are grouped; nil for none.
        public internal(set) var threadId: String?
        /// `passive`, `active`, `time-sensitive` or `critical`.
        public internal(set) var interruptionLevel: String?
        /// Rank in the notification summary, 0 to 1.
        public internal(set) var relevanceScore: Double?
        /// The identifier of the window that a tap opens; nil for none.
        public internal(set) var targetContentId: String?

        private enum CodingKeys: String, CodingKey {
            case alert, sound, category
            case threadId = "thread-id"
            case interruptionLevel = "interruption-level"
            case relevanceScore = "relevance-score"
            case targetContentId = "target-content-id"
        }
    }

    /// Refers to the snapshot of a notification.
    public struct SideCar: Codable, Hashable, Sendable {
        /// Always `surface_snapshot`.
        public let kind: String
        /// The id of the snapshot.
        public let snapshotId: String
        /// The id of the surface.
        public let surfaceId: String
        /// The state of the subject.
        public let state: SurfaceSnapshot.State
        /// The URL that a tap opens.
        public let deepLink: String
        /// The category as a string, so that an older app can decode that of a newer server.
        public let category: String?
        /// The version of the contract; absent in the fallback of a Live Activity.
        public let schemaVersion: SurfaceGeneration?

        init(_ snapshot: SurfaceSnapshot, category: String? = nil, schemaVersion: SurfaceGeneration? = nil) {
            kind = "surface_snapshot"
            snapshotId = snapshot.id
            surfaceId = snapshot.surfaceId
            state = snapshot.state
            deepLink = snapshot.deepLink
            self.category = category
            self.schemaVersion = schemaVersion
        }
    }
}

/// The alert that is sent where a Live Activity cannot be shown.
public struct AlertFallback: Codable, Hashable, Sendable {
    /// Title, body and default sound.
    public let aps: NotificationPayload.Aps
    /// The keys for the app.
    public let liveSurface: NotificationPayload.SideCar
}
