// Every bound of this target in one place: value, unit, reason, and what happens when it is reached.

/// The bounds of the simulators: those of APNs, and those of the simulators themselves.
enum SimulatorLimits {
    // MARK: Rules of APNs

    /// Bytes of a payload for a token; a longer one is answered 413.
    static let devicePayloadBytes = 4_096
    /// Bytes of a payload for a channel; a longer one is answered 413.
    static let broadcastPayloadBytes = 5_120
    /// Bytes of a collapse id; a longer one is answered 400.
    static let collapseIDBytes = 64
    /// Seconds by which `aps.timestamp` may be ahead; ActivityKit drops a later one.
    static let timestampAheadSeconds: Int64 = 8 * 3_600
    /// Seconds for which a channel of storage policy 1 keeps its newest message.
    static let storedMessageSeconds: Int64 = 8 * 3_600
    /// Age in seconds of a provider token; an older one is answered 403.
    static let providerTokenSeconds: Int64 = 3_600
    /// Seconds by which the signing of a provider token may be ahead of our clock; a later one is answered 403.
    static let providerTokenAheadSeconds: Int64 = 60
    /// Seconds in which a connection may use one new provider token, its first included; another is answered 429.
    static let providerTokenUpdateSeconds: Int64 = 1_200
    /// Seconds after which the use of a connection's provider token is noted again, for the number of tokens in use.
    static let providerTokenNoteSeconds: Int64 = 60
    /// Pushes to one token or channel in a minute of domain time; a further one is answered 429.
    ///
    /// Apple publishes no number, and advises about one a second for a channel (Apple forum 827808). This is twice
    /// that: a dispatcher sends at most one state a second, and repeats refused ones.
    static let pushesPerMinute = 120
    /// Streams of a connection before its first valid provider token, and under penalty; further ones wait.
    static let streamsAtFirst = 1
    /// Streams of a connection afterwards.
    static let streamsLater = 1_000

    // MARK: The APNs simulator

    /// Bytes that a client may send ahead on a connection, as APNs was seen to allow; it has to wait for WINDOW_UPDATE.
    static let connectionWindowBytes = 65_535
    /// Bytes of a body that are kept, more than APNs takes, so that 413 is answered by rule; the rest is dropped.
    static let bodyBytes = 8_192
    /// Tokens known, dead ones included, some 300 bytes each; a further one is not registered.
    static let tokens = 8_000_000
    /// Lock Screens of unregistered tokens; pushes to further tokens are accepted and not shown.
    static let screens = 100_000
    /// Requests in the journal; the oldest is dropped.
    static let journaledPushes = 4_096
    /// Revisions counted; the older half is dropped.
    static let countedRevisions = 4_096
    /// Payloads whose check is cached: a fan-out has one or two in flight; the oldest is dropped.
    static let checkedBodies = 16
    /// Bytes of a script; a longer one is refused.
    static let scriptBytes = 256 * 1024
    /// Rules of a script; a script with more is refused.
    static let scriptRules = 100
    /// Milliseconds of a freeze, longer than any deadline of a sender; a longer one counts as this.
    static let freezeMilliseconds = 600_000
    /// Bytes of the sink's window for a connection: no sender waits for it.
    static let sinkWindowBytes = 64 * 1024 * 1024

    // MARK: The feed simulator

    /// Contents of a feed that are cached: the present one, a stuck copy and an old one; then the oldest is forgotten.
    static let recentContents = 3
    /// Bytes reserved for the JSON of one ball or over; a longer one grows.
    static let elementBytes = 512
    /// Answers cached of one content, all pages of the longest match; then they are forgotten.
    static let cachedAnswers = 1_000
    /// Bytes of a request's body; a longer one is refused.
    static let requestBytes = 64 * 1024
    /// Time in which a wrong ball is put right.
    static let correction: Duration = .seconds(10)
    /// Rows of a ball in the format of Sportmonks: ten wickets and the penalty runs; further ones are left out.
    static let rowsOfBall: Int64 = 16
    /// Requests of a day that a plan of CricketData allows; the simulator counts them and refuses none.
    static let hitsOfDay = 10_000
    /// Seconds for which one request is counted: a poll each half minute is what such a plan is for.
    static let secondsAHit: Int64 = 30
    /// Real time for open answers when a simulated server stops; slower ones are cut off.
    static let lastAnswers = Duration.seconds(1)

    // MARK: Rules of iOS

    /// Activities of one app that run or are scheduled; a further start is refused.
    static let activitiesOfApp = 5
    /// Time after which the system ends an activity.
    static let activityLife: Duration = .seconds(8 * 3_600)
    /// Time for which a final card stays at most; then the system removes it.
    static let finalCardTime: Duration = .seconds(4 * 3_600)
    /// Domain time in which updates, starts and wake-ups are counted.
    static let budgetSpan: Duration = .seconds(3_600)
    /// Starts by push in that time (Apple forum 799505: about ten in a short time); further ones have no effect.
    static let startsPerHour = 10
    /// Background pushes in that time that run the app (Apple: two or three); further ones have no effect.
    static let backgroundPushesPerHour = 3
    /// Domain time in which reloads of widgets are counted.
    static let widgetBudgetSpan: Duration = .seconds(24 * 3_600)
    /// Reloads of widgets in that time (Apple: 40 to 70 for one that is often seen); further pushes have no effect.
    static let widgetReloadsPerDay = 40
    /// Real time for which an app runs in the background, 30 s as Apple allows; then it is suspended.
    static let backgroundTime: Duration = .seconds(30)
    /// Part of the urgent updates beyond the budget, 0 to 1, that are delayed, by assumption; the others are dropped.
    static let delayedShare = 0.5
    /// Part of the dead tokens, 0 to 1, for which APNs goes on answering 200; an assumption.
    static let silentlyDeadShare = 0.3

    // MARK: Simulated phones

    /// Domain time of a restart.
    static let bootTime: Duration = .seconds(60)
    /// Bytes of a push-to-start or activity token, as observed.
    static let activityTokenBytes = 80
    /// Entries of a notification centre; the oldest is dropped.
    static let listedNotifications = 64
    /// Moments whose alerts are counted on a phone, more than any match has, and their repetitions.
    ///
    /// Further ones are not counted.
    static let soundedMoments = 1_024
    /// Events in a phone's journal; the oldest is dropped.
    static let phoneJournalEntries = 256
    /// Events that an observed phone keeps itself, since there are very many such phones; the oldest is dropped.
    static let observedJournalEntries = 4
    /// Times in which a phone could send, one for each time that its app ran; the oldest is dropped.
    static let reachableSpans = 1_024
    /// Events that wait for a process that does not read them; the oldest is dropped.
    static let unreadActivityEvents = 1_024
    /// Longest real time between two looks at the schedule of the phones.
    static let scheduleRest: Duration = .seconds(3_600)

    // MARK: A fleet of phones

    /// Bytes of an answer to a phone, 4 times the largest scorecard; a longer one fails with `tooLarge`.
    static let phoneAnswerBytes = 1024 * 1024
    /// Phones that are enrolled at once, few enough for the server's backlog; further ones wait.
    static let enrollingPhones = 32
    /// Real time for the enrolment of one phone: a restarted server is back well before; then the fleet fails.
    static let enrolment = Duration.seconds(90)
    /// Real time between two looks whether a phone is enrolled.
    static let enrolmentPoll = Duration.milliseconds(20)
    /// Apps that persons open at once after a match; the others follow, 100 a second.
    static let openingsAtOnce = 10
    /// Real time between two such groups: of 2,000 apps opened at once on two cores, 89 confirmed after more than 10 s.
    static let openingPause = Duration.milliseconds(100)
    /// Messages of the system and the person that wait for the app; the oldest is dropped.
    static let waitingAppSignals = 256
    /// Attempts of a person to start an activity while the server does not answer; then there is none.
    static let startAttempts = 5
    /// Real time between them.
    static let startAttemptWait = Duration.seconds(1)
    /// Real milliseconds in which a server starts an activity after it has the push-to-start token; a phone whose token
    /// came later counts as unreachable.
    static let startTime: Int64 = 10_000
    /// Receipts of a phone whose times are kept, one for each 5 s of two hours; the oldest is dropped.
    static let timedReceipts = 1_440
    /// Real milliseconds within which a reachable phone confirms a publication; a later receipt is counted as late.
    static let confirmationTime: Int64 = 10_000
    /// Phones that are listed because they do not show the newest state; further ones are only counted.
    static let listedPhones = 5
    /// Events of a listed phone; older ones are left out.
    static let listedEvents = 12
    /// Real time for which a renewal may show two cards of a match; longer counts as a fault of the server.
    static let cardOverlap = Duration.seconds(10)

    // MARK: A network with faults

    /// Real milliseconds of a fault: shorter and longer than the deadlines of a server.
    static let networkFaultMilliseconds: ClosedRange<Int64> = 200...4_000
    /// Connections to a link that wait to be accepted, one for each phone of a large demo; further ones try again.
    static let linkBacklog: Int32 = 4_096
    /// Reads that wait in one direction of a connection; then no more is read.
    static let waitingReads = 64
    /// Parts in which a slow connection passes the bytes of a second.
    static let linkPartsPerSecond = 20
    /// Real time between two looks whether a fault is over.
    static let linkPoll = Duration.milliseconds(10)
}
