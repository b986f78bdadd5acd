// The part of the client's state that survives the end of the app.

public import Foundation

/// An activity as the client reported it.
struct KnownActivity: Codable, Sendable, Hashable {
    var matchID: String
    /// The address that was reported last; nil before the first report.
    var reported: ActivityAddress?
    /// The start as it was first observed, in milliseconds since 1970.
    var startedAt: Int64
    var isStartedByPush: Bool
    /// The revision on the screen.
    var revision: Int64
    /// The channel that the app started it on.
    var channelID: String?
    /// Wall time at which its content changed last, in milliseconds since 1970.
    var movedAt: Int64
    /// Whether the system starts it at a later time.
    var isPending = false
}

/// The permissions of the person, as the system reported them last.
struct ActivityPermissions: Codable, Sendable, Hashable {
    var liveActivities: Bool
    var frequentPushes: Bool
}

/// The durable state of a client; never contains the credential.
public struct ClientRecord: Codable, Sendable, Hashable {
    /// The form of the encoding.
    var version = 1
    /// The changes that wait for the server, and the sequence numbers.
    public internal(set) var queue = ChangeQueue()
    /// The followed matches with the person's choices, also those that the server does not know yet.
    public internal(set) var follows: [String: FollowedMatch] = [:]
    /// The device as the app described it last.
    public internal(set) var description: DeviceDescription?
    /// The permissions; nil on a system that reports none.
    var permissions: ActivityPermissions?
    /// The remote settings.
    public internal(set) var settings = ClientSettings()
    /// Wall time of the settings, in milliseconds; 0 for never.
    var settingsReadAt: Int64 = 0
    /// Tokens of the device, hexadecimal digits.
    var tokens: [DeviceTokenName: String] = [:]
    /// Wall times at which the server confirmed the tokens, in milliseconds; nil in a record of an older version.
    var tokensConfirmedAt: [DeviceTokenName: Int64]?
    /// Activities by ActivityKit's id.
    var activities: [String: KnownActivity] = [:]
    /// The order in which the activities were observed.
    var activityOrder: [String] = []
    /// Dismissed activities that the server never had; the next reconcile names them.
    var dismissals: [ObservedActivity] = []
    /// Receipts that wait, by activity.
    var receipts: [String: ActivityReceipt] = [:]
    /// Counted events that the server has not taken.
    var counts: [CountedEvent: EventCount] = [:]
    /// The Idempotency-Key of a registration that has not ended.
    var registrationKey: String?
    /// The Idempotency-Key of a rotation that has not ended.
    var rotationKey: String?
    /// Wall time of the credential, in milliseconds; 0 when unknown.
    var credentialAt: Int64 = 0
    /// Whether the person erases the device and the server has not done it yet.
    var isErasing = false
    /// Whether the person has erased the device; nothing is sent until the app describes it again.
    var isErased = false
    /// The tag of the newest list of follows.
    var followsTag: String?

    /// An empty record, of an app that was just installed.
    public init() {}

    /// Reads an encoded record.
    ///
    /// - Returns: An empty record when the bytes have another form; a reconcile repairs what the device still has.
    public init(reading data: Data?) {
        let read = data.flatMap { ClientJSON.decode(ClientRecord.self, from: $0) }
        self = read.flatMap { $0.version == 1 ? $0 : nil } ?? ClientRecord()
    }

    /// The encoded form; nil never happens for a record of this type.
    public var encoded: Data? { ClientJSON.encode(self) }
}
