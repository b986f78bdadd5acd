// Every bound of this target in one place: value, unit, reason, and what happens when it is reached.

/// The bounds of the follow store.
public enum FollowLimits {
    // MARK: Batches

    /// Rows in one statement; the next batch takes the rest.
    ///
    /// From 500 to 2,000 a row gets a fifth cheaper, since a statement opens four partitions.
    public static let rowsPerBatch = 2_000
    /// Time for which the first call of a batch waits for others; small beside the fsync that they share.
    public static let gatherTime = Duration.milliseconds(10)
    /// Calls that wait for one batcher, about a quarter of a second's work; more are refused as busy.
    public static let waitingCalls = 20_000
    /// Batchers for one kind of call; two saturate a server of two cores, and more were measured to add nothing.
    static let callBatchers = 2

    // MARK: Rejected tokens and ends

    /// Rows in one statement that ends activities or clears tokens: 12 ms, so that readers of changes do not wait long.
    static let rowsPerStatement = 1_000
    /// Rejected tokens that wait to be ended in PostgreSQL, a tenth of the audience of a final.
    ///
    /// A further one stays in the table, and APNs rejects it again after the next restart.
    static let evictionsWaiting = 100_000

    // MARK: Credentials

    /// Time for which a replaced credential stays valid, long enough to repeat a rotation whose answer was lost.
    ///
    /// Then it is refused. It is longer than any cache of credentials.
    public static let replacedCredentialAge = Duration.seconds(600)

    // MARK: Follows and activities

    /// Matches that are not over and that one device may follow: more than anybody watches, few enough for one reply.
    ///
    /// A further follow is refused. Follows of finished matches do not count; they are dropped two days later.
    public static let followsPerDevice = 50
    /// Age that a phone's clock may give an activity; ActivityKit removes it after twelve hours.
    ///
    /// An earlier start is moved to this edge.
    static let activityAge = Duration.seconds(12 * 3600)
    /// Activities of one device that were dismissed before they were registered, one reconcile report of them.
    ///
    /// Beyond it the oldest is forgotten; a late registration of it is stored as active, until its token is rejected.
    static let earlyEndsPerDevice = 16
    /// Matches that have not begun and that phones show, in one reply: a day of all the world's cricket.
    ///
    /// Further ones are left out.
    static let matchesShownEarly: Int64 = 1_000
    /// Time for which a change waits for registrations that began before its commit.
    ///
    /// Then the call fails as unavailable.
    /// A registration whose node was stopped ends long before, by the bounds of its connection.
    static let registrationWait = Duration.seconds(5)

    /// Time for which a channel's record in memory is valid; an activity on a retired one is refused after it.
    public static let knownChannelAge = Duration.seconds(10)
    /// Time after the retirement of a channel from which no activity is stored on it: that age, and a slow
    /// registration.
    ///
    /// A sweep then ends the activities that were stored on it since its end.
    static let lateReportTime = knownChannelAge + .seconds(20)
    /// Time after the retirement of a channel in which sweeps do so; it is longer than any pause between sweeps.
    static let retirementCheckAge = Duration.seconds(3600)
    /// Time of a sweep after which it reads the activities of no further retired channel; the next sweep does.
    static let retiredCheckTime = Duration.seconds(20)

    // MARK: Starts and notifications

    /// Follows of a match that one statement reads to find starts, notifications or widgets: 20 to 100 ms.
    ///
    /// The next page continues behind them.
    static let followersReadPerPage = 10_000
    /// Activities started by push on one device at once; phones allow five, and the person may start some.
    static let startsPerDevice = 2
    /// Time after which a start without a registration no longer counts as an activity.
    static let startAnswerTime = Duration.seconds(600)
    /// Time before a match of a supporter's side for which one of their places is kept free.
    static let startReserveTime = Duration.seconds(600)
    /// Time after a start in which its activity may still register; no notification is sent meanwhile.
    static let startGrace = Duration.seconds(120)
    /// Time after which ActivityKit ends an activity; a start on a channel without a report no longer counts then.
    static let activityLife = Duration.seconds(8 * 3600)

    // MARK: Renewals

    /// Age at which an activity, or a generation of a channel, is started again; the phone ends it after eight hours.
    public static let renewalAge = Duration.seconds(27_000)
    /// Age at which an activity that was not renewed is ended, with a last content, before the phone ends it.
    public static let unrenewedAge = Duration.seconds(28_500)
    /// Activities renewed or ended in one transaction, so that none is long; the next page follows.
    public static let renewalsPerPage = 500
    /// Activities that become due in one round; the next round has the others.
    static let renewalsPerRound = 20_000
    /// Time from a renewal's start until it is tried again, four times that in which a start is sent or given up.
    ///
    /// Twelve tries fit between the two ages. The store refuses the start of a device whose last one did not fail.
    static let renewalRetryTime = Duration.seconds(120)
    /// Renewals under way, 260 bytes each; beyond it the oldest are forgotten, since phones that are off never answer.
    static let renewalsUnderWay = 100_000
    /// Forgotten renewals, 40 bytes each; beyond it the store is read once more for each.
    static let renewalsForgotten = 1_000_000

    // MARK: Sweeps

    /// Time without an accepted push after which an activity is silent.
    public static let silence = Duration.seconds(30 * 60)
    /// Activities of a match that one statement of a sweep reads, ended ones too: 50 ms, or a second from a cold disk.
    ///
    /// The next page continues behind them. A page reads the rest of the bucket that it begins in, too.
    static let silentRowsPerPage = 10_000
    /// Buckets whose follows and activities of a match one statement counts: a sixteenth of all, of two million 0.2 s.
    static let bucketsCounted = 64
    /// Pages that one sweep reads, a million activities; the next sweep continues.
    static let silentPagesPerCall = 100
    /// Time after which a silent match of more than one page is read again, unless further buckets of it are silent.
    ///
    /// An activity of a silent bucket that is registered meanwhile waits for it.
    static let silentPassRest = Duration.seconds(600)
    /// Time after the end of a match from which its activities are read seldom, after `silentLateRest`: the ends that
    /// were repeated and swept until then have closed the others.
    static let silentAfterEnd = Duration.seconds(2 * 3600)
    /// Time between two readings of a match that ended long ago, for activities that phones register late.
    static let silentLateRest = Duration.seconds(3600)
    /// Time after which an end without an answer is sent again.
    static let endRetryTime = Duration.seconds(600)
    /// Time for which activities and progress outlive a match: eight hours of an activity, four until its dismissal.
    static let finishedMatchAge = Duration.seconds(12 * 3600)
    /// Time for which follows outlive their match, withdrawn ones too, so that a phone that was off finds its follows.
    static let finishedFollowAge = Duration.seconds(48 * 3600)
    /// Matches whose follows one call deletes; a day of cricket has fewer, and the next call continues.
    static let matchesPerDeletion = 100
    /// Rows that one transaction deletes; a longer one would delay the readers of `change`.
    public static let rowsPerDeletion = 1_000
    /// Time for which the row of an erased device stays; caches of credentials and retries of apps end long before.
    static let erasedDeviceAge = Duration.seconds(30 * 24 * 3600)
    /// Time after an erasure in which sweeps end the device's activities.
    ///
    /// It is longer than any registration and any pause between sweeps.
    static let erasureCheckAge = Duration.seconds(3600)
    /// Time without a summary after which a sweep counts as lost; then its slot is free again.
    static let sweepRunTime = Duration.seconds(600)
    /// Time for which a slot is stored; schedulers repeat a call much sooner.
    static let sweepAge = Duration.seconds(24 * 3600)
    /// Characters of a stored error of a sweep, a sentence or two; the rest is cut off.
    static let sweepErrorLength = 300
    /// Time between two stored uses of a device, so that a request seldom writes; it is small beside the least time
    /// after which idle devices are erased.
    static let deviceUseInterval = Duration.seconds(7 * 24 * 3600)
    /// Idle devices that one sweep erases, ten milliseconds each; the next sweep continues.
    public static let idleDevicesPerSweep = 500
    /// Buckets in which one sweep looks for idle devices: 1.2 million rows of 50 million devices, all of them in 43
    /// sweeps.
    static let bucketsPerIdleSearch = 24

    // MARK: Operators

    /// Activities of a match that one page of a list by state reads: 50 ms, or a second from a cold disk.
    ///
    /// The page is then short, and the next one continues behind them.
    public static let listedRowsPerPage = 10_000
    /// Tokens in one answer about a fingerprint, where two are a coincidence already; further ones are left out.
    static let tokensOfFingerprint: Int64 = 20
    /// Time of one read below which a search by fingerprint reads twice as many buckets the next time; above it, one.
    static let searchStep = Duration.milliseconds(100)
    /// Buckets that a search by fingerprint reads at once: an eighth, so that an empty table needs few reads.
    static let bucketsPerSearch: Int16 = 128
    /// Age of the stored time of a device's last reconcile, below which another one writes nothing.
    static let reconcileNoteAge = Duration.seconds(3600)

    // MARK: Tokens in memory

    /// Entries of one slice of an arena: a copy of 28 KB holds the bucket's lock for a short time.
    public static let entriesPerSlice = 256
    /// Slots by which an arena grows at least; most matches have few followers in a bucket.
    static let arenaGrowth = 4
    /// Time between two reads of changes that other nodes wrote; a write of this node wakes the reader.
    static let changePollInterval = Duration.milliseconds(100)
    /// Least time between two reads of changes, however many writes wake the reader.
    static let changeReadPause = Duration.milliseconds(5)
    /// Time that a change may wait to be read until the node reports it; a long transaction is the usual cause.
    static let changeLagMax = Duration.seconds(5)
    /// Time before the next attempt after a failure of PostgreSQL: half a lease, so that a takeover is not delayed.
    static let arenaRetryPause = Duration.milliseconds(500)
    /// Changes in one read, a tenth of a second at the highest measured rate; the next read continues.
    static let changesPerRead = 20_000
    /// Time for which changes are kept after they were read, so that a node that lost PostgreSQL can catch up.
    ///
    /// A slower node finds in `change_dropped` that it has missed some, and builds its arenas again.
    static let changeAge = Duration.seconds(30 * 60)
    /// Time between two recorded positions of the reader, by which old changes are deleted.
    static let positionInterval = Duration.seconds(60)
    /// Changes deleted in one statement, between two reads.
    static let changesPerDeletion = 5_000
    /// Time before the send of a bucket in which a registration may have missed it: five times the reader's alarm.
    static let lateTokenTime = Duration.seconds(10)
}
