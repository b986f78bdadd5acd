// Every bound of polling, of the choice among feeds and of captures: its value, its reason, and what follows at it.

public import ScoreTypes

/// The bounds of ScoreIngest; durations are domain time where that is said, else real time.
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
    /// Between two polls of a match ahead after a failure, in domain time: an outage must not cost it its squads for
    /// the usual six hours.
    static let lookRetryInterval: Duration = .seconds(600)
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

    /// Requests that lists and matches at rest may save of their share of a plan: one reading of two lists.
    static let savedBackgroundRequestsMax = 2.0
    /// Requests that a plan by the day keeps for matches in play.
    static let spareRequestsMin = 10.0
    /// Between two requests that find out whether a plan that was used up yesterday still is: the provider's day may
    /// end at another hour than midnight UTC.
    static let usedUpInterval: Duration = .seconds(3_600)
    /// Held replies in a row that are requested again soon; then a provider that never repeats a reply is polled as
    /// usual.
    ///
    /// The last one is requested again after `JournalLimits.copyLife`, when a copy of the first reply counts as a
    /// second sighting.
    public static let secondLooksMax = 3

    // MARK: Captures

    /// Bytes of the replies that the next capture file repeats, of finished matches too: a hundred large ones.
    ///
    /// Beyond it, and beyond `polledMatchesMax` matches, the next file lacks parts of the oldest matches.
    static let captureBasisBytesMax = 64 * 1024 * 1024
    /// Entries that wait to be written; beyond it an entry is dropped and counted.
    static let waitingCapturesMax = 1_024
    /// Bytes of bodies and states that wait to be written, sixteen of the largest replies; beyond it an entry is
    /// dropped and counted.
    static let waitingCaptureBytesMax = 64 * 1024 * 1024
    /// Bytes of a line of a capture file, which is no trusted input; at a longer one the file counts as damaged.
    static let captureLineMax = 256 * 1024
    /// Bytes of an unpacked payload of a capture file; at a larger one the file counts as damaged.
    static let capturePayloadMax = 256 * 1024 * 1024
    /// Bytes of the bodies of an entry that an operator reads; the rest is cut, and the files have it.
    static let shownCaptureBytes = 256 * 1024
    /// Tokens of a feed that captures replace: a late reply may still contain an expired one; the oldest is forgotten.
    static let rememberedTokensMax = 8
    /// Bytes of a secret that captures replace: a shorter one would match half a scorecard.
    static let secretBytesMin = 6

    // MARK: Aliases

    /// Aliases of one statement: the players of a league, in a few hundred kilobytes; more take several statements.
    static let aliasBatchMax = 5_000

    // MARK: Pushes

    /// Notices of a match that wait for a poll, two overs of corrected balls; beyond it the oldest is dropped, and
    /// later polls find what it reported.
    static let noticesMax = 16
    /// Between two readings of the list after pushes, in domain time: a match that is pushed and never polled
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
    /// Calls between two rounds; beyond it all overridden matches are ticked instead of single ones, and an order to
    /// publish a match again is dropped.
    static let tickerCallsMax = 1_024
    /// How long after an operator's order a match is published again, as long as a change of the primary database or of
    /// the duty may take; then the order is dropped, and the operator may repeat it.
    static let republishPatience: Duration = .seconds(30)

    // MARK: Tasks

    /// Shortest sleep of a task; a shorter wait of a writer is extended to it.
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
