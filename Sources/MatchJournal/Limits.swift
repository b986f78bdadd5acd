// Every bound of this target in one place: value, unit, reason, and what happens when it is reached.

/// The bounds of the journal, its writers and its publishers; spans are real time unless the clock scales them.
public enum JournalLimits {
    // MARK: Reads

    /// Entries of one read: a limited-overs match is two pages, a Test ten, and a page stays under a megabyte.
    public static let pageEntries = 1_000
    /// Publications of one read, the newest: a minute has at most 60, and older alerts are dropped.
    static let publications = 256
    /// Matches that `starting` returns, the soonest: a day of world cricket.
    static let startingMatches = 1_000
    /// Time after its start for which a match that has not begun is still returned by `starting`: rain may postpone it
    /// to the next day.
    public static let startingLate = Duration.seconds(36 * 3_600)
    /// Matches that `overridden` returns, the soonest end first; an operator makes each of them by hand.
    static let overriddenMatches = 1_000

    // MARK: Replies, in the gate of a match

    /// Balls that may vanish in one reply; with more it is held for a second sighting (cricket.md B.2).
    static let withdrawals = 3
    /// Consecutive replies with an older version than the newest that are dropped; then the provider counts anew.
    static let olderReplies = 10
    /// Consecutive incomplete replies that are held, more than old copies of one part make; then the provider's counts
    /// do not agree with its balls, and the balls are shown.
    static let incompleteReplies = 10
    /// Consecutive replies without any ball of an innings that has at most `withdrawals`, more than an empty page
    /// makes; then they were withdrawn.
    static let emptiedReplies = 10
    /// Consecutive suspicious replies, each for another reason, that are held: more than a poller sees before another
    /// feed leads the match (30 s).
    static let heldReplies = 20
    /// Domain time after which an equal reply is no cached copy of the one before: an ordinary interval of polling, and
    /// the longest cache life of a provider (`max_age` of Roanuz).
    public static let copyLife = Duration.seconds(5)
    /// The same for a total with fewer balls: a feed that has totals alone is polled seldom, and the next balls end the
    /// doubt about a ball that was withdrawn.
    static let totalCopyLife = Duration.seconds(60)

    // MARK: Writers

    /// Calls that wait for another one to finish, a poller, a ticker and an operator; a further one fails with `busy`.
    static let waitingCalls = 8
    /// Time between two readings of the overrides: a lost notification costs no more.
    static let overridesInterval = Duration.seconds(30)
    /// Life of an override; a longer one is refused, so that an operator decides again each day.
    public static let overrideLife = Duration.seconds(86_400)
    /// Domain time without a publication after which a match in a break is published again.
    static let keepAliveInterval = Duration.seconds(20 * 60)

    // MARK: Silence of the feeds, in domain time without an answer

    /// In play: nine polls, reported within a minute (F1).
    static let silenceInPlay = Duration.seconds(45)
    /// During a break, which is polled less often.
    static let silenceInBreak = Duration.seconds(120)
    /// Before the first ball, from its time on: two answers of a minute each are missing.
    static let silenceBeforePlay = Duration.seconds(180)
    /// Between days: three polls of five minutes, and a tenth.
    static let silenceOvernight = Duration.seconds(1_080)
    /// The part of a span for which a new writer waits at least: its feed is polled twice in that time.
    static let silencePartOfNewWriter = 3
    /// Longest time without an answer that is counted.
    static let silenceCounted = Duration.seconds(86_400)

    // MARK: Moments

    /// Domain time after which time alone confirms a moment, and the longest wait that is learned: a later alert is no
    /// news for a person who watches.
    public static let confirmationBound = Duration.seconds(25)
    /// Shortest wait in seconds that is learned: an equal reply after one second may be a copy.
    static let confirmationShortest = 2
    /// Domain time for which a moment waits at least before the next ball confirms it: balls are bowled further apart,
    /// so that a sooner one shows a scorer who was late, and has not looked at the moment again.
    static let nextBall = Duration.seconds(10)
    /// Domain time for which a result that only the balls prove waits (cricket.md B.8).
    static let provedResult = Duration.seconds(30)
    /// Domain time for which the end of an innings waits when a status alone states it, before the tenth wicket: the
    /// last ball may arrive two minutes late, and the break lasts ten.
    static let statedInningsEnd = Duration.seconds(150)
    /// Share of alerts that may be false, unless a setting says otherwise: one in a thousand.
    public static let falseAlerts = 0.001
    /// Share of moments that a new feed is expected to report wrongly at first: one ball in seven is wrong (cricket.md
    /// B.2), and one reported moment in thirty is none.
    static let expectedWrong = 0.03
    /// Seconds for which such a mistake is expected to stay (cricket.md B.2).
    static let expectedWrongSeconds = 10
    /// Moments of a class that a curve counts: some hundreds of matches; with more, all counts are halved, so that
    /// what a feed did long ago fades out.
    static let curveMoments = 4_000
    /// Revoked alerts that wait to be stored, more than a day has; a further one is dropped, and only counted.
    static let revokedWaiting = 1_000
    /// Revoked alerts that are stored, some of them for each of a season's matches; the oldest are deleted.
    static let revokedStored = 10_000
    /// Time between two exchanges of counted corrections with the database.
    static let evidenceInterval = Duration.seconds(30)
    /// Time at the start in which a failed reading of the counts is repeated, longer than a failover; then polling
    /// begins without them.
    public static let evidenceStart = Duration.seconds(10)
    /// Pause between two such readings.
    static let evidenceStartPause = Duration.milliseconds(250)
    /// Known balls after the ball of a new moment, two overs; with more the moment has no alert.
    static let newsBalls = 12
    /// Age in seconds of a ball after a silence, the longest life of an alert; the moment of an older one has no alert.
    static let freshSeconds: Int64 = 60
    /// Balls after the ball of a moment, about a minute, with which it is news after a silence where the feed has no
    /// times of balls.
    static let freshBalls = 2
    /// Known balls of the innings after the ball of a moment that is announced with others of the same gap: ten overs.
    static let gapBalls = 60
    /// Age in seconds from which the provider's clock may be an hour slow and is ignored.
    static let slowClockSeconds: Int64 = 3_600

    // MARK: Publications

    /// Domain time between two publications of a match (PUBLICATION section 2); faster changes are merged.
    static let publicationInterval = Duration.seconds(1)
    /// Age of an unsent alert; an older one is dropped (postgres.md section 8).
    static let alertAge = Duration.seconds(60)
    /// Alerts of a match that are remembered, more than are confirmed in `alertAge`; the oldest is dropped.
    static let recentAlerts = 64
    /// Age of an alert up to which it is corrected: scorers put a wicket right within minutes, and the app shows what
    /// comes later.
    static let correctionAge = Duration.seconds(600)
    /// Corrections of one alert; a feed that alternates between two reports changes the notification no further.
    static let correctionsOfAlert = 3
    /// Start of a match in seconds since 1970, the end of the year 9999; a later one is a mistake and not stored.
    static let startSeconds: Int64 = 253_402_300_799
    /// First pause after a match could not be published; doubled with each failure in a row.
    static let retryPause = Duration.milliseconds(500)
    /// Longest pause: a repaired row is published within half a minute.
    static let retryPauseLongest = Duration.seconds(30)
    /// Time between two polls of all matches: a lost wake-up costs no more.
    static let pollInterval = Duration.milliseconds(500)
    /// Time for which a finished match is remembered.
    static let memoryAfterEnd = Duration.seconds(3_600)
    /// Time after its end for which a match is published at the start: its final card may have reached no device.
    static let recoveryAfterEnd = Duration.seconds(600)
    /// Newest entries that a publication takes to the streams, more than a day of play adds between two of them.
    ///
    /// Clients that miss older ones read the journal.
    public static let publishedChanges = 1_024
    /// Wake-ups that wait; beyond it the poll finds the match.
    static let wakes = 1_024
}
