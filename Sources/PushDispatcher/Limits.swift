// Every bound of this target in one place: value, unit, reason, and what happens when it is reached.

/// The bounds of the dispatcher.
public enum PushLimits {
    // MARK: Pacing of a match

    /// Domain time between two ordinary updates of a match (PUBLICATION section 2).
    ///
    /// The newer one waits and replaces an older one that waits.
    static let ordinaryDistance = Duration.seconds(10)
    /// Domain time between any two publications of a match.
    ///
    /// The newer one waits and replaces an older one that waits.
    static let publicationDistance = Duration.seconds(1)
    /// Domain time for which an alert is sent with newer states; later states are sent without it.
    static let alertAge = Duration.seconds(60)
    /// Domain time for which an equal state is dropped as unchanged.
    ///
    /// With a keep-alive twenty minutes after a change, an activity still receives a state every half hour.
    static let unchangedAge = Duration.seconds(300)
    /// Alert keys of a match that are remembered as announced; a match has fewer moments.
    ///
    /// The oldest is forgotten.
    static let announcedAlerts = 512
    /// Publications of a match at priority 10 in a minute of domain time (PUBLICATION section 2); further ones go at
    /// priority 5.
    static let urgentPerMinute = 6
    /// Publications of a match at priority 10 in an hour of domain time (PUBLICATION section 2); further ones go at
    /// priority 5.
    static let urgentPerHour = 25

    /// Domain time between two sends at priority 10 to an activity whose device does not allow frequent pushes
    /// (PUBLICATION section 3); others go at priority 5.
    static let infrequentDistance = Duration.seconds(300)
    /// Relevance from which such a device may get priority 10: that of a wicket, a hundred or a result.
    ///
    /// A lesser moment would use up the five minutes of a wicket; it goes at priority 5.
    static let infrequentRelevance = 90

    // MARK: Payloads and lifetimes

    /// Bytes of an ES256 signature in DER, whose two integers have 35 each at most; a longer one is not made.
    static let derSignatureBytes = 80
    /// Bytes of a request body: the limit of APNs for tokens, and of ActivityKit for a broadcast.
    ///
    /// A larger body is not sent.
    public static let payloadBytes = 4096
    /// Time for which APNs may store an update with an alert, a start or a notification; then APNs drops it.
    static let alertLifetime = Duration.seconds(300)
    /// Time for which APNs may store an update: an old score is worth little.
    ///
    /// Then APNs drops it.
    static let updateLifetime = Duration.seconds(60)
    /// Time for which APNs may store an end; then APNs drops it.
    static let endLifetime = Duration.seconds(3600)
    /// Bytes of `apns-collapse-id` (APNs); a longer id is replaced by its SHA-256.
    static let collapseIDBytes = 64
    /// Time for which an ended activity stays on the Lock Screen: the longest that Apple allows.
    public static let dismissAfter = Duration.seconds(4 * 3600)
    /// Time without an update after which the phone marks an activity as stale.
    static let staleAfter = Duration.seconds(30 * 60)

    // MARK: Fan-out

    /// Tokens copied at once: enough to make the call cheap, few enough to hold the lock for microseconds.
    ///
    /// The next slice holds the rest.
    public static let tokensPerSlice = 256
    /// Time after its first try for which a bucket waits for a failing token.
    ///
    /// Then the bucket is recorded with the device as owed.
    static let bucketRetryWindow = Duration.seconds(10)
    /// Time after its first try for which a failing token is tried again after 1 to 5 s.
    static let frequentRetryWindow = Duration.seconds(60)
    /// Time between later tries of a token, before a jitter of as much again.
    ///
    /// A token that failed for a minute rarely recovers soon.
    static let owedRetryInterval = Duration.seconds(15)
    /// Time for which a failing token is tried.
    ///
    /// Then its phone marks the activity as stale, and the request counts as expired.
    static let owedRetryWindow = Duration.seconds(30 * 60)
    /// Slices of throttled tokens alone that one call reads, so that a lane never stalls; the next call continues.
    static let emptySlices = 8
    /// Tokens of a match that missed a state and are remembered for the sweep and for repeated ends; further ones are
    /// counted.
    static let missedTokens = 10_000
    /// Tokens of a fan-out that wait for another try: about what a second of outage leaves before the breaker opens.
    ///
    /// A further one counts as missed. It also bounds the tokens that wait for the takeover of their bucket; a further
    /// one receives the next state.
    public static let retriesPerFanout = 10_000
    /// Devices of a bucket without which progress may be recorded: a fifth of the largest bucket.
    ///
    /// Beyond it the bucket waits.
    static let owedPerBucket = 200
    /// The same when the node stops, so that a bucket that was partly walked is not repeated: 160 kB in one row.
    ///
    /// Beyond it the successor repeats the bucket.
    static let owedPerBucketAtStop = 10_000
    /// Devices of a fan-out that are owed an alert; further ones receive the state without it.
    static let alertsOwed = 10_000
    /// Open passes of a fan-out: the number is reached only if APNs answers nothing.
    ///
    /// Then no further bucket is walked.
    static let passes = 8192
    /// Throttled tokens of a fan-out that are left alone; a further one is tried again with each newer state.
    static let throttledTokens = 10_000
    /// First wait of a throttled token if APNs names none; it doubles with each time in a row.
    static let throttleWait = Duration.seconds(5)
    /// Longest wait of a throttled token if APNs names none.
    static let throttleWaitLongest = Duration.seconds(600)

    // MARK: Requests for single devices and channels

    /// Waiting requests for single devices beyond which `hasRoom` is false: a second or two of what APNs accepts from
    /// a node.
    static let directedWaiting = 10_000
    /// Requests that wait in one queue of a lane and environment.
    ///
    /// A further one fails at once.
    public static let directedPerLane = 50_000
    /// Requests of one match in a row: neighbours share their headers.
    ///
    /// Then the next match has its turn.
    static let requestsPerTurn = 16
    /// Requests taken from the queue of a match before their memory is freed.
    static let compactionStep = 4096
    /// Requests for single devices that are open on one connection: more than fill the 64 KiB that APNs reads ahead.
    ///
    /// A cut connection leaves so many alerts without an answer. Further requests wait.
    static let directedPerConnection = 100
    /// Time for which an operator's test waits for APNs' answer; then it has none.
    static let testAnswerTime = Duration.seconds(6)
    /// Time for which a request for a single device is repeated; then it is reported as failed.
    static let directedRetryWindow = Duration.seconds(30)
    /// Time for which a broadcast waits for a stream; then it is dropped, since a newer state exists.
    static let broadcastAge = Duration.seconds(1)
    /// Planned starts of a node.
    ///
    /// A further one is reported as failed.
    public static let startsWaiting = 200_000
    /// Domain times between the tries of an end: 1, 5, 15 and 30 minutes after the first (PUBLICATION section 3).
    ///
    /// Then it is given up.
    static let endRetries = [Duration.seconds(60), .seconds(240), .seconds(600), .seconds(900)]
    /// Ends that wait for another try.
    ///
    /// A further one is left to the sweep.
    public static let endsWaiting = 100_000
    /// Channels whose end is repeated: as many as Apple allows an app.
    ///
    /// The end of a further one is sent once.
    static let channelsEnding = 10_000
    /// Domain time between two broadcasts on a channel: Apple's engineers name about one a second.
    ///
    /// The newest state waits.
    static let broadcastDistance = Duration.seconds(1)
    /// Time for which a channel is left alone after APNs rejected a broadcast; `probeInterval` if the key or the topic
    /// was refused.
    static let rejectedBroadcastWait = Duration.seconds(30)
    /// Wait after the second and later tries in a row that APNs did not process.
    static let unprocessedWait = Duration.milliseconds(100)
    /// Alert keys of a channel that are remembered as announced.
    ///
    /// The oldest is forgotten.
    static let announcedOnChannel = 512

    // MARK: Channels

    /// Time between two reads of a match's channels: another node may have made one.
    static let channelReadInterval = Duration.seconds(10)
    /// Time before channels that could not be read are read again.
    static let channelReadRetry = Duration.seconds(1)
    /// Time for which no channel is created after Apple answered that the app can have none.
    static let channelsUnavailable = Duration.seconds(300)
    /// Time for which no channel is created after channel management did not answer, or answered with a server error.
    ///
    /// A request may wait for `managementTimeout`, and the starts of all matches wait with it; until then activity
    /// tokens are used.
    static let channelsUnreachable = Duration.seconds(30)
    /// Time for a request to channel management; then it fails.
    static let managementTimeout = Duration.seconds(10)
    /// Bytes of channel management's response: 10,000 channels of 50 bytes, doubled.
    ///
    /// A longer response fails the request.
    static let managementBodyBytes = 1 << 20
    /// Time between two looks for broadcasts and repeated ends that are due.
    static let channelTick = Duration.milliseconds(100)

    // MARK: Connections

    /// Connections of a node to one environment: at 800 streams each and a round trip of 60 ms 1.7 million pushes a
    /// second, more than a machine sends.
    ///
    /// Apple names no limit. No further connection is opened.
    public static let connections = 128
    /// Time for which requests have waited for streams before further connections are opened.
    static let shortageWindow = Duration.milliseconds(200)
    /// Mean time of an answer above which APNs is slow; then no further connections are opened.
    static let growthRoundTrip = Duration.seconds(1)
    /// Part of the time that a lane's thread works, above which more streams do not help; none are added.
    static let workingShareMost = 0.85
    /// Part of the time that counts at least, so that a thread that hardly worked wants a finite number.
    static let workingShareLeast = 0.05
    /// By how much the connections of a lane are multiplied at once; Apple treats rapid connections as an attack.
    static let connectionGrowth = 2
    /// Time without a shortage after which connections beyond the configured number are closed.
    static let extraConnectionAge = Duration.seconds(3600)
    /// Time between two dials of a connection slot: Apple treats rapid connections as an attack.
    ///
    /// It doubles with each failure.
    static let dialDistance = Duration.seconds(1)
    /// Longest time between two dials of a connection slot.
    static let dialDistanceLongest = Duration.seconds(60)
    /// Requests in a row without a response; then the connection is replaced.
    static let timeoutsInARow = 3
    /// Share of the peer's stream limit that is used: a limit that falls under full load would refuse open requests.
    ///
    /// Further requests wait.
    static let shareOfStreams = (numerator: 4, denominator: 5)
    /// Stream limits up to this are used fully.
    static let fullyUsedStreams = 10
    /// Seconds of `Retry-After` that are believed; a longer wait is shortened to it.
    static let retryAfterSeconds = Int64(300)
    /// Bytes of an answer's body that are parsed; Apple's have less than 100.
    ///
    /// The reason of a longer body is `.other`.
    static let answerBytes = 1024
    /// Time for the answer to a push; then the request fails as ambiguous.
    public static let requestTimeout = Duration.seconds(8)
    /// Configuration errors in a row that open the breaker of an environment; then only probes are sent.
    static let configurationFaults = 5
    /// Answers that the breaker weighs together.
    static let breakerWindow = 20
    /// Server errors among `breakerWindow` answers that open the breaker.
    static let serverFaults = 10
    /// Real time between two probes of an open breaker, before a jitter of a tenth.
    static let probeInterval = Duration.seconds(10)
    /// Accepted probes that close the breaker.
    static let probesToClose = 3

    // MARK: Lanes and reports

    /// Time between two looks of a lane for connections and requests that are due.
    static let laneTick = Duration.milliseconds(50)
    /// Shortest time between two reports of a lane's counts.
    static let countsInterval = Duration.milliseconds(45)
    /// Requests of a lane before the next class or match has its turn.
    static let requestsPerLaneTurn = 32
    /// Missed tokens in one report; further ones are only counted.
    static let missedPerReport = 20_000
    /// Publications of a match whose first request operators can read, about two overs; the oldest is forgotten.
    static let firstRequests = 16
    /// One accepted request in so many is delivered to an observer that wants a sample; others are only counted.
    static let attemptSampleEvery = 1024
    /// One answer in so many is a sample of the timers.
    static let sampleEvery = 16
    /// Samples in one report; further ones are dropped.
    static let samplesPerReport = 512
    /// Round trips of an environment that operators see as quantiles; the oldest is forgotten.
    static let roundTrips = 1024
    /// Time for the answer to a probe of the key; then the probe reports that APNs did not answer.
    static let probeTimeout = Duration.seconds(10)
    /// Bytes of the answer to a probe; Apple's have less than 100.
    ///
    /// A longer one fails the probe.
    static let probeAnswerBytes = 4096
    /// Share of bad tokens in a fan-out above which none is quarantined: the environments are probably mixed up.
    static let badTokenShare = 0.05
    /// Bad tokens that are quarantined whatever their share, once until the environment has proved healthy.
    static let badTokensHarmless = 20
    /// Answers that prove an environment healthy; fewer prove nothing.
    static let quarantineEvidence = 200
    /// Time without an answer after which a fan-out is over and its bad tokens are evaluated.
    static let fanoutSilence = Duration.seconds(1)
    /// Time after which a fan-out is evaluated although the next one has begun; a million tokens take less.
    static let fanoutEvaluation = Duration.seconds(60)
    /// Quarantines that wait for the evaluation; a further one waits for the next state.
    static let quarantinesHeld = 50_000

    // MARK: Dispatcher

    /// Time between two looks for work that is due.
    static let tick = Duration.milliseconds(20)
    /// Time between two looks at bucket ownership and gauges.
    static let slowTick = Duration.milliseconds(500)
    /// Time for which completed buckets stay unrecorded, and the same for a publication with an alert.
    static let flushInterval = (ordinary: Duration.milliseconds(200), alert: Duration.milliseconds(25))
    /// Time before a store that failed is tried again.
    static let storeRetryInterval = Duration.milliseconds(250)
    /// Time without a connection after which progress no longer waits for an environment.
    static let unreachable = Duration.seconds(30)
    /// Time for open requests at shutdown (a node has 20 s for all of it); then their outcome is ambiguous.
    static let shutdownGrace = Duration.seconds(3)
    /// Time for a slow store at shutdown; what is not recorded by then is repeated by the successor.
    static let shutdownRecording = Duration.seconds(5)
    /// Sends of complete buckets that may be unrecorded on a node: a crash repeats them.
    ///
    /// Then walks wait for the recorder.
    public static let unrecordedSends = 1000

    // MARK: Provider tokens

    /// Youngest age at which a provider token is renewed; each node draws its own age.
    static let tokenRenewalEarliest = Duration.seconds(30 * 60)
    /// Oldest age at which a provider token is renewed: ten minutes before Apple refuses it.
    static let tokenRenewalLatest = Duration.seconds(50 * 60)
    /// Time between two provider tokens of a key, and of a connection; Apple answers 429 to a second one within it.
    static let tokenDistance = Duration.seconds(20 * 60)
    /// Time by which a token may be issued ahead of the store's clock; one from further ahead is replaced.
    static let clockSkew = Duration.seconds(5 * 60)
    /// Time before a failed renewal of a provider token is repeated.
    static let tokenRetryInterval = Duration.seconds(2)
    /// Time for which sends rest after APNs refused a token that is too young to be replaced.
    ///
    /// One server may be wrong, so the first pause is short; each further refusal doubles it.
    static let refusedTokenPause = (first: Duration.seconds(1), longest: Duration.seconds(10))
    /// Time after a refusal of a young token after which the next one counts as the first.
    static let refusedTokenMemory = Duration.seconds(60)
    /// Time between two looks for provider tokens that are due.
    static let tokenTick = Duration.milliseconds(100)
    /// Bytes of a key file; Apple's have about 260.
    ///
    /// A longer file is refused.
    static let keyFileBytes = 16 * 1024
}
