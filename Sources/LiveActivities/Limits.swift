// Every bound of this target in one place: value, unit, reason, and what happens when it is reached.

/// The bounds of ``LiveActivities``.
public enum LiveActivityLimits {
    // MARK: Starts

    /// Seconds before the first ball at which starts begin; they are spread over this time so that a large audience
    /// does not arrive at once.
    static let startAhead = Duration.seconds(600)
    /// Seconds before the first ball by which the last start is sent, so that it arrives in time.
    static let startArrival = Duration.seconds(30)
    /// Starts planned in one round for one match, and again for the phones of each of its old channels; the rest
    /// follows in the next round, after `nextRoundSoon`.
    static let startsPerRound = 10_000
    /// Followers started by one query: a page takes some milliseconds and locks its devices no longer.
    static let followersPerPage = 500
    /// Followers of one match that a round reads, 40 pages or more; the rest follows after `nextRoundSoon`.
    static let followersReadPerRound = 400_000
    /// Rows that every round may read for one match: 25,000 followers, since each is read for both scopes.
    ///
    /// A match with more is read again after `startPassRest`.
    static let followersReadAlways = 50_000
    /// Seconds between the beginnings of two readings of a match with many followers.
    ///
    /// A new follower and a start that was not sent wait for the second one; the app of a new one starts its activity
    /// itself while it is open.
    static let startPassRest = Duration.seconds(300)
    /// Seconds between two rounds over the open matches; a new follower waits half of it on average.
    static let roundInterval = Duration.seconds(30)
    /// Real time until the next round if the last one left starts or ends over.
    static let nextRoundSoon = Duration.seconds(1)

    /// Starts that were not sent and whose mark the store could not remove, about 60 bytes each; it is removed later.
    ///
    /// The mark of a further one stays: its follower gets notifications on that day instead of an activity.
    static let startsUnreleased = 200_000

    // MARK: Ends

    /// Seconds after stumps before the day's activities are ended: a status that is corrected meanwhile ends none.
    static let dayEndDelay = Duration.seconds(120)
    /// Seconds for which the tokens of a finished match stay in memory: the last repetition of its end, and a margin.
    static let tokensKeptAfterEnd = Duration.seconds(2_100)
    /// Activities marked as ending in one transaction, so that none is long; the next batch follows at once.
    static let endsPerBatch = 1_000
    /// Ends that await APNs' answer, about 200 bytes each.
    ///
    /// An end beyond it is sent but its answer is not recorded: the activity stays marked, and the sweep ends it again.
    static let endsAwaited = 100_000

    // MARK: Channels

    /// Real time between two comparisons with Apple's list of channels, which costs one request an environment.
    static let channelInterval = Duration.seconds(300)
    /// Time for which a channel is kept after its match: the last repetition of its end, and phones that were off.
    static let channelKeptAfterEnd = Duration.seconds(8 * 3600)
    /// Time before the listed start of a match from which its requested channels are created.
    static let channelAhead = Duration.seconds(48 * 3600)
    /// Real time between two looks for requested channels; an app that has just followed learns its channel after it.
    static let channelRequestInterval = Duration.seconds(5)
    /// Requested channels created in one look and environment, one request each; the next look creates further ones.
    static let channelsCreatedPerLook = 100
    /// Channels that Apple allows an app in one environment; at the limit it creates no further one.
    static let channelsMax = 10_000
    /// Channels below Apple's limit that are kept for starts, renewals and other systems of the same app.
    ///
    /// Beyond it a requested channel replaces an unused one of a match that begins later; otherwise it is not created,
    /// and its followers are reached on tokens and by notifications.
    static let channelsReserved = 1_000
    /// Channels deleted in one round and environment, one request each; the rest follows in the next round.
    static let channelsDeletedPerRound = 200
    /// Share of our channels that may be missing from Apple's list.
    ///
    /// If more are missing the list is taken for incomplete and no channel is retired; a broadcast that APNs refuses
    /// still replaces its channel.
    static let channelsMissingShare = 0.5
    /// Channels that may be missing whatever their share, where few are in use.
    static let channelsMissingFew = 5

    // MARK: Notifications

    /// Real time after which a moment is no longer announced: it is old news, also after a takeover.
    static let momentAge = Duration.seconds(60)
    /// Announcements that wait to be sent: an over's worth of every match of a busy evening.
    ///
    /// The oldest is dropped.
    static let announcementsWaiting = 256
    /// Announcements sent side by side, so that slow answers to one do not delay the next; further ones wait.
    static let announcementsAtOnce = 16
    /// Recipients read and sent together; after a crash a bucket without all its answers is sent again.
    static let recipientsPerPage = 500
    /// Notifications without an answer before the next page is read: enough to fill the streams, few to send again.
    static let notificationsUnderWay = 2_000
    /// Real time for which the devices of alerts are remembered: as long as alerts are corrected, and a margin.
    static let sentAlertsKept = Duration.seconds(660)
    /// Announcements whose devices are remembered, about 50 bytes for each bucket reached.
    ///
    /// Of older ones the records of the buckets decide who gets a correction.
    static let sentAlerts = 256
    /// Devices of one announcement that missed its alert in the buckets that it reached, 32 bytes each; with more
    /// its correction is not sent.
    static let devicesMissed = 10_000
    /// Real time between two checks for answers and for free capacity; each is a call of an actor.
    static let answerPollInterval = Duration.milliseconds(10)
    /// Real time for open answers when the node stops; then they count as sent, and what waits is left to a successor.
    static let stopPatience = Duration.seconds(3)
    /// Real time for a slow store after that; what is not recorded by then is sent again by the successor.
    static let stopRecording = Duration.seconds(5)
    /// Real time before a store that failed is tried again, and before a lease that was not trusted is read again.
    static let storeRetryPause = Duration.milliseconds(250)

    // MARK: Widgets

    /// Seconds of domain time between two reloads of a match's widgets; a change within it waits for its end.
    ///
    /// iOS reloads a widget that is often seen 40 to 70 times a day, for whatever reason. Four an hour are 14 for a T20
    /// and 30 for a day of a Test; moments and the widget's own timeline need the others.
    static let widgetSpacing = Duration.seconds(900)
    /// The same for a wicket, the end of an innings and a result, which a person expects to see.
    ///
    /// Wickets that fall together are one reload. It is also the time for which a device is left out that was reloaded
    /// for another match: its widgets show both.
    static let widgetMomentSpacing = Duration.seconds(300)
    /// Domain time between two looks for reloads that are due; a look reads memory only.
    static let widgetLookInterval = Duration.seconds(1)
    /// Publications that wait to be compared with the widgets; the oldest is dropped, as a newer one has its content.
    static let widgetChangesWaiting = 256
    /// Matches whose reloads are remembered, about 1 KB each; the one reloaded first is forgotten.
    static let widgetMatches = 5_000
    /// Pushes without an answer, of all matches together, before the next page of devices is read: half of
    /// `notificationsUnderWay`, so that notifications never wait for widgets alone.
    static let widgetPushesUnderWay = 1_000
    /// Real time for which the last pushes of a reload count as under way: as long as a failed one is repeated.
    ///
    /// Later they wait for a paused environment, and must not delay reloads in the other one.
    static let widgetAnswerPatience = Duration.seconds(30)

    // MARK: Bucket ownership

    /// Real time between two claims of buckets, as leases are real time; a takeover waits half of it on average.
    static let claimInterval = Duration.milliseconds(250)
    /// Unread changes of ownership.
    ///
    /// A change only says that the buckets have to be read again, so a newer one replaces an unread one and nothing is
    /// lost.
    static let bucketChangesUnread = 1

    // MARK: Receipts

    /// Matches whose revisions are remembered, about 300 bytes each; the one silent longest is forgotten first.
    static let receiptMatches = 5_000
    /// Real time for which a newer revision may be out before a phone that shows an older one counts as stuck.
    ///
    /// iOS holds pushes of priority 5 back for some minutes; after 30 minutes the phone marks the activity as stale.
    static let stuckAfter = Duration.seconds(900)
    /// Real time between two remembered revisions of a match; a mark for each ball would say no more.
    static let revisionSpacing = Duration.seconds(60)
    /// Remembered revisions of a match, 16 bytes each.
    ///
    /// Two for each minute of `stuckAfter`, the newest before it, and a margin. The oldest is forgotten first.
    static let revisionsKept = 34
    /// Activities whose newest receipt is in memory, about 100 bytes each.
    ///
    /// Further activities stay unknown, and their receipts count as dropped.
    static let receiptsKept = 1_000_000
    /// Real time within which a report of the same revision is a repetition: a phone sends receipts every 5 seconds,
    /// and a request is repeated within 20.
    static let receiptRepetition = Duration.seconds(60)
    /// Real time for which a receipt is kept: an activity lives eight hours at most.
    static let receiptAge = Duration.seconds(8 * 3600)
    /// Real time between two counts of activities; longer after a slow one.
    static let receiptCountInterval = Duration.seconds(60)
    /// Receipts that wait to be passed to other nodes, about 200 bytes each; further ones are dropped.
    static let receiptsForwarded = 20_000
    /// Real time between two notifications with receipts for other nodes.
    static let receiptForwardInterval = Duration.milliseconds(250)
    /// Bytes of one notification; PostgreSQL allows 7,999.
    static let notificationBytes = 7_900
    /// Stuck activities listed, about 300 bytes each.
    ///
    /// Further ones are counted, and neither listed nor logged: by then all phones of a release are stuck, and a line
    /// for each would hide the reason.
    static let stuckActivities = 4096
    /// Real time for which a stuck activity is listed without a receipt; an activity lives eight hours at most.
    static let stuckKept = Duration.seconds(8 * 3600)
    /// Real time for which a stuck activity waits to be started again, while its match is held or the store fails.
    static let restartPatience = Duration.seconds(900)
}
