// The payloads of ordinary notifications: Apple's part, and the side-car by which an app refreshes its surfaces.

/// A notification's payload, from a snapshot of kind `notification`.
public struct NotificationPayload: Codable, Hashable, Sendable {
    /// The contract's generation.
    public let schemaVersion: SurfaceGeneration
    /// Apple's part.
    public let aps: Aps
    /// The side-car.
    public let liveSurface: SideCar

    /// The words.
    public struct Alert: Codable, Hashable, Sendable {
        /// The headline.
        public let title: String
        /// The line below it.
        public let subtitle: String?
        /// The words.
        public let body: String
    }

    /// The keys that APNs knows.
    public struct Aps: Codable, Hashable, Sendable {
        /// The words.
        public let alert: Alert
        /// Always `default`.
        public let sound: String
        /// The registered category.
        public let category: String?
        /// What it is grouped by.
        public let threadId: String?
        /// `passive`, `active`, `time-sensitive` or `critical`.
        public let interruptionLevel: String?
        /// Its place in the summary, 0 to 1.
        public let relevanceScore: Double?
        /// The window that it belongs to.
        public let targetContentId: String?

        private enum CodingKeys: String, CodingKey {
            case alert, sound, category
            case threadId = "thread-id"
            case interruptionLevel = "interruption-level"
            case relevanceScore = "relevance-score"
            case targetContentId = "target-content-id"
        }
    }

    /// Which snapshot a notification tells of.
    public struct SideCar: Codable, Hashable, Sendable {
        /// Always `surface_snapshot`.
        public let kind: String
        /// The snapshot's `id`.
        public let snapshotId: String
        /// The surface.
        public let surfaceId: String
        /// Where the subject stands.
        public let state: SurfaceSnapshot.State
        /// What a tap opens.
        public let deepLink: String
        /// The category as plain text, so that an older app can read a newer one's.
        public let category: String?
        /// The contract's generation; absent in the fallback of a Live Activity.
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

/// What is sent as an ordinary alert where a Live Activity cannot be shown.
public struct AlertFallback: Codable, Hashable, Sendable {
    /// Title and body with the default sound, and no more.
    public let aps: NotificationPayload.Aps
    /// The side-car.
    public let liveSurface: NotificationPayload.SideCar
}
