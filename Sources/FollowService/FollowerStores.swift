// All stores of followers are built alike, over one pool: a node has one set for phones and one for its own work.

public import Postgres
public import ScoreTypes

/// The stores of devices, follows, activities and channels over one pool.
public struct FollowerStores: Sendable {
    /// The tokens in memory; both sets of a node share them.
    public let arenas: ArenaIndex
    /// Devices and their tokens.
    public let devices: Devices
    /// Follows of matches.
    public let follows: Follows
    /// Live Activities.
    public let activities: Activities
    /// Broadcast channels.
    public let channels: ChannelRecords
    /// The provider token that all nodes share.
    public let providerTokens: ProviderTokenRecords
    /// Devices on which an activity is to be started.
    public let starts: StartCandidates
    /// Activities that are started again before they are eight hours old.
    public let renewals: Renewals
    /// Followers who are notified of moments.
    public let alertAudience: AlertAudience
    /// Followers whose widgets are reloaded by push.
    public let widgetAudience: WidgetAudience
    /// Activities that received nothing for too long.
    public let silent: SilentActivities
    /// Rows of matches that have ended.
    public let finished: FinishedMatches
    /// Rows of devices that were erased.
    public let erased: ErasedDevices
    /// Devices that were not used for long.
    public let idle: IdleDevices

    /// Makes the stores; the arenas are woken after each write.
    public init(pool: Pool, clock: ServiceClock, arenas: ArenaIndex) {
        self.arenas = arenas
        devices = Devices(pool: pool, clock: clock, onWritten: { arenas.wake() })
        follows = Follows(pool: pool, clock: clock, onWritten: { arenas.wake() })
        activities = Activities(pool: pool, clock: clock, onWritten: { arenas.wake() })
        channels = ChannelRecords(pool: pool, clock: clock)
        providerTokens = ProviderTokenRecords(pool: pool)
        starts = StartCandidates(pool: pool, clock: clock)
        renewals = Renewals(activities: activities)
        alertAudience = AlertAudience(pool: pool, clock: clock)
        widgetAudience = WidgetAudience(pool: pool)
        silent = SilentActivities(activities: activities)
        finished = FinishedMatches(pool: pool, clock: clock)
        erased = ErasedDevices(pool: pool, clock: clock)
        idle = IdleDevices(pool: pool, clock: clock, devices: devices)
    }
}
