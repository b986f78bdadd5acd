// Every bound of polling, of the choice among feeds and of captures: its value, its reason, and what follows at it.

public import ScoreTypes

/// The bounds of ScoreIngest; durations are domain time where that is said, else real time.
///
/// Those of captures stand with their types: `CaptureBasis.matchesMax` and `bytesMax`, `CaptureStore.waitingMax` and
/// `waitingBytesMax`, `CaptureFile.lineMax` and `payloadMax`, `KnownSecrets.tokensMax`.
public enum IngestLimits {
    // MARK: Matches of a feed

    /// Matches that are polled at once, a day of world cricket; beyond it the least urgent ones wait for a place.
    public static let polledMatchesMax = 500
    /// Matches that are announced before they are polled, some seasons; beyond it the later ones are not.
    public static let upcomingMax = 1_000
    /// Records of matches; beyond it those that are neither polled nor listed are forgotten, and polled once more if a
    /// list has them again.
    public static let matchRecordsMax = 10_000
    /// How long before its start a match is polled, in domain time: toss and line-ups come in the last hour.
    public static let pollLead: Duration = .seconds(3_600)
    /// How long before its start a match is announced, in domain time: people follow a tour when it is announced.
    public static let horizon: Duration = .seconds(21 * 86_400)
    /// How long after its start a match that has ended, or has not begun, is still taken up.
    public static let historyAfter: Duration = .seconds(7 * 86_400)
    /// How long after its start a match that never began is polled, in domain time: then it was not played, or its
    /// provider has forgotten it.
    static let lateMax: Duration = .seconds(12 * 3_600)
    /// How long a match in play may not change, in domain time, longer than any break but rain; then it is polled as
    /// seldom as overnight.
    static let stillAfter: Duration = .seconds(4 * 3_600)

    // MARK: Unknown and unreadable matches

    /// Answers in a row that do not know a match; at it the match is gone, and the next list decides what follows.
    public static let goneMax = 10
    /// How long a match in play is polled although its provider does not know it, in domain time: a provider that has
    /// lost it for a while must not end what people watch.
    static let goneGrace: Duration = .seconds(1_800)
    /// How often a match that is gone and listed as over is polled again: its card may come back within hours.
    static let goneRetriesMax = 12
    /// Unreadable snapshots in a row; at it all parts are requested anew, since parts that can be read alone may
    /// contradict each other.
    public static let unreadableMax = 8

    // MARK: Requests

    /// Requests of one round, all parts of a match that was never read; beyond it the next round goes on.
    public static let roundRequestsMax = 256
    /// How long the answers of a round that the limits have stopped are used; then the round begins anew, since parts
    /// of very different age make no snapshot.
    static let stoppedRoundLife: Duration = .seconds(300)
    /// First wait after a failure, in domain time; it doubles with each further one.
    static let backoffFirst: Duration = .seconds(1)
    /// Longest wait after failures, in domain time: a feed that is up again is found within it.
    static let backoffMax: Duration = .seconds(30)
    /// Failures after which the circuit breaker of a feed opens: then single probes replace the requests of all
    /// matches.
    public static let breaker = CircuitBreaker.Rules(
        failuresInARowMax: 5,
        window: 20,
        windowFailuresMax: 10,
        isWindowSliding: true,
        successesNeeded: 3
    )
    /// Between two probes of a feed whose breaker is open, in domain time.
    public static let probeInterval: Duration = .seconds(10)
    /// Longest pause that a provider gets for its `Retry-After`; a longer one is cut to it.
    static let retryAfterMax: Duration = .seconds(3_600)
    /// How much later than its wait a match may come for its request of the plan, for a machine that pauses; then its
    /// place in the queue is given up.
    static let budgetPlaceGrace: Duration = .seconds(2)
    /// How long before its end a session is renewed; a short one at nine tenths of its life.
    static let sessionRenewalLead: Duration = .seconds(300)
    /// Life of a session without an end; then the feed is opened again, for its tables.
    static let sessionMax: Duration = .seconds(12 * 3_600)
    /// Shortest life of a session: one that is over at once would be opened for ever.
    static let sessionMin: Duration = .seconds(10)
    /// Between two openings for refused tokens and unknown words: a key that is refused is refused again, and a table
    /// that lacks a word lacks it a moment later.
    static let sessionReopenEvery: Duration = .seconds(60)

    // MARK: Pushes

    /// Notices of a match that wait for a poll, two overs of corrected balls; beyond it the oldest is dropped, and
    /// later polls find what it reported.
    static let noticesMax = 16
    /// Bytes of a ball's key in an order to another node, so that no order exceeds a notification; those of Roanuz have
    /// 8, and an order with a longer one names no ball.
    static let noticeKeyBytesMax = 64
    /// Between two readings of the list that pushes ask for, in domain time: a match that is pushed and never polled
    /// costs six readings a minute.
    static let listPushInterval: Duration = .seconds(10)

    // MARK: Choice among feeds

    /// How long the leading feed may not answer, in domain time, six polls of a match in play; then another one leads.
    static let leaderSilence: Duration = .seconds(30)
    /// The same while no balls are expected, since polls are rarer then.
    static let leaderRestSilence: Duration = .seconds(180)
    /// How long the first choice is waited for at the beginning, in domain time.
    static let firstChoiceGrace: Duration = .seconds(15)
    /// How long a better feed has to answer without a break before it leads again, in domain time: feeds must not
    /// alternate.
    static let leaderRecovery: Duration = .seconds(30)
    /// How long after the leader's silence a feed that is behind stands by, in domain time: what it lacks may never
    /// have happened.
    static let behindMax: Duration = .seconds(120)
    /// Matches to come whose last announcer is remembered; beyond it all are forgotten, and the journal has those whose
    /// announcement was news.
    static let lastAnnouncersMax = 4 * upcomingMax
    /// Calls that wait for the intake of a match, of its feeds, a ticker and an operator; beyond it a call throws
    /// `JournalError.busy`, and is repeated later.
    static let intakeCallsMax = 8

    // MARK: Ticks of matches without a poller

    /// Between two attempts after a failure.
    static let tickRetryInterval: Duration = .seconds(1)
    /// Between two searches for matches whose feed no node polls: their silence is reported within a minute or so.
    static let orphanInterval: Duration = .seconds(30)
    /// Calls between two rounds; beyond it all overridden matches are ticked instead of single ones.
    static let tickerCallsMax = 1_024

    // MARK: Tasks

    /// Shortest sleep of a task, whatever a writer asks for.
    static let sleepMin: Duration = .milliseconds(10)
    /// Longest sleep of a task that waits for calls.
    static let idleMax: Duration = .seconds(3_600)
    /// Between two questions whether this node may poll, while it may not or the feed is paused.
    static let standbyInterval: Duration = .seconds(1)
    /// How long an answer about the duty is used: the fence refuses a write without the duty anyway.
    static let dutyAnswerLife: Duration = .milliseconds(500)
    /// Between two attempts to read a table of operators.
    static let tableRetryInterval: Duration = .seconds(1)
}
