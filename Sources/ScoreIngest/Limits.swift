// Every bound of polling, of the choice among feeds and of captures: its value, its reason, and what follows at it.

/// The bounds of ScoreIngest. Durations are domain time where that is said, else real time.
public enum IngestLimits {
    // MARK: Matches of a feed

    /// Matches that are polled at once: a day of world cricket. At it the least urgent ones wait for a place.
    public static let polledMatchesMax = 500
    /// Matches that are announced before they are polled: some seasons. Beyond it only the soonest are.
    public static let upcomingMax = 1_000
    /// Records of matches. Beyond it those that are neither polled nor listed are forgotten; such a match is polled once
    /// more if a list has it again.
    public static let matchRecordsMax = 10_000
    /// Before its start a match is polled, in domain time: toss and line-ups come in the last hour.
    public static let pollLead: Duration = .seconds(3_600)
    /// Before its start a match is announced, in domain time: people follow a tour when it is announced.
    public static let horizon: Duration = .seconds(21 * 86_400)
    /// After its start a match that has ended, or has not begun, is no longer taken up.
    public static let historyAfter: Duration = .seconds(7 * 86_400)
    /// After its listed start a match that never began is given up, in domain time: it was not played, or its provider
    /// has forgotten it.
    static let lateMax: Duration = .seconds(12 * 3_600)
    /// Without a change a match in play stands still, in domain time: longer than any break but rain. From then on it is
    /// polled as seldom as overnight.
    static let stillAfter: Duration = .seconds(4 * 3_600)

    // MARK: Unknown and unreadable matches

    /// Answers in a row that do not know a match. At it the match is gone; the next list decides whether it is polled on.
    public static let goneMax = 10
    /// How long a match in play has to be unknown before it is gone, in domain time: a provider that has lost it for a
    /// while must not end what people watch.
    static let goneGrace: Duration = .seconds(1_800)
    /// How often a match that is gone and listed as over is polled again: its card may come back within hours.
    static let goneRetriesMax = 12
    /// Unreadable snapshots in a row. At it all parts are requested anew: parts that can be read alone may contradict
    /// each other.
    public static let unreadableMax = 8

    // MARK: Requests

    /// Requests of one round: all parts of a match that was never read. Beyond it the next round goes on.
    public static let roundRequestsMax = 256
    /// How long the answers of a round that the limits have stopped are used: parts of very different age make no
    /// snapshot. After it the round begins anew.
    static let stoppedRoundLife: Duration = .seconds(300)
    /// First wait after a failure, in domain time; doubles with each further one.
    static let backoffFirst: Duration = .seconds(1)
    /// Longest wait after failures, in domain time: a feed that is up again is found within it.
    static let backoffMax: Duration = .seconds(30)
    /// Longest pause that a provider gets for its `Retry-After`. A longer one is cut to it.
    static let retryAfterMax: Duration = .seconds(3_600)
    /// How much later than its wait a match may come for its request of the plan: waits are extended by a tenth, and a
    /// machine may pause. After it its place in the queue is given up.
    static let budgetPlaceGrace: Duration = .seconds(2)
    /// Before its end a session is renewed; a short one at nine tenths of its life.
    static let sessionRenewalLead: Duration = .seconds(300)
    /// Life of a session without an end, for its tables. After it the feed is opened again.
    static let sessionMax: Duration = .seconds(12 * 3_600)
    /// Shortest life of a session: one that is over at once would be opened for ever.
    static let sessionMin: Duration = .seconds(10)
    /// Between two openings for refused tokens and unknown words: a key that is refused is refused again, and a table
    /// that lacks a word lacks it a moment later. Until then the session is used as it is.
    static let sessionReopenEvery: Duration = .seconds(60)

    // MARK: Pushes

    /// Notices of a match that wait for a poll: two overs of balls, all corrected. Beyond it the oldest is dropped; later
    /// polls find what it reported.
    static let noticesMax = 16
    /// Key of a ball in an order to another node, in bytes, so that no order exceeds a notification; those of Roanuz have
    /// 8. Beyond it the order names no ball.
    static let noticeKeyBytesMax = 64
    /// Between two readings of the list that pushes ask for, in domain time: a new match is found soon, and a match that
    /// is pushed and never polled costs six readings a minute.
    static let listPushInterval: Duration = .seconds(10)

    // MARK: Choice among feeds, in domain time

    /// Without an answer of the leading feed another one leads: six polls of a match in play.
    static let leaderSilence: Duration = .seconds(30)
    /// The same while no balls are expected, since polls are rarer then.
    static let leaderRestSilence: Duration = .seconds(180)
    /// How long the first choice is waited for at the beginning.
    static let firstChoiceGrace: Duration = .seconds(15)
    /// How long a better feed has to answer without a break before it leads again: feeds must not alternate.
    static let leaderRecovery: Duration = .seconds(30)
    /// After the leader's silence a feed that is behind leads too: what it lacks may never have happened.
    static let behindMax: Duration = .seconds(120)
    /// Matches to come whose last announcer is remembered: four lists. Beyond it all are forgotten; the journal has those
    /// whose announcement was news.
    static let lastAnnouncersMax = 4 * upcomingMax

    /// Calls that wait for an intake: the polls and the lists of its feeds, a ticker, an operator. Beyond it a call throws
    /// `JournalError.busy`, and is repeated later.
    static let intakeCallsMax = MatchWriter.lockWaitersMax

    // MARK: Ticks of matches without a poller

    /// After a failure the same is tried again.
    static let tickRetryInterval: Duration = .seconds(1)
    /// Between two searches for matches whose feed no node polls: their silence is reported within a minute or so.
    static let orphanInterval: Duration = .seconds(30)
    /// Calls about single matches between two rounds. Beyond it all overridden matches are ticked.
    static let tickerCallsMax = 1_024

    // MARK: Tasks

    /// Shortest sleep of a task, whatever a writer asks for.
    static let sleepMin: Duration = .milliseconds(10)
    /// Longest sleep of a task that waits for calls.
    static let idleMax: Duration = .seconds(3_600)
    /// Between two questions whether this node may poll, while it may not or the feed is paused.
    static let standbyInterval: Duration = .seconds(1)
    /// How long an answer about the duty holds: the fence refuses a write without the duty anyway.
    static let dutyAnswerLife: Duration = .milliseconds(500)
    /// After a table of operators could not be read it is read again.
    static let tableRetryInterval: Duration = .seconds(1)
}
