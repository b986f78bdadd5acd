// Every limit of this target: value, unit, reason, and what happens when it is reached.

/// The bounds of the client: queue, requests, streams and waits.
public enum ClientLimits {
    /// Changes that wait for the server, one for each match, token and activity.
    ///
    /// A phone follows at most 50 matches that are not over; a follow beyond the bound is refused with a notice.
    public static let pendingChanges = 256
    /// Events that wait until the record can be read; then the oldest one is dropped, since a newer choice replaces it.
    static let eventsBeforeRecord = 256
    /// The largest sequence number that JavaScript and SQL tools represent exactly, 2^53 - 1; a server that stores a
    /// greater one has locked the resource, and the client registers again as a new device.
    public static let largestSequence: Int64 = 9_007_199_254_740_991
    /// Failures of one change with a 5xx status before the changes behind it are sent first; the change is kept.
    static let attemptsBeforeDeferral = 5
    /// Age in milliseconds (48 hours) of a change that a 409 refuses; the server has dropped a finished match by then,
    /// so an older change is discarded and the server's state is kept.
    static let contestedChangeAge: Int64 = 48 * 3_600_000
    /// Activities in one reconcile report, as the server accepts; further ones are left to the next report.
    static let reportedActivities = 16
    /// Activities that the client remembers; the system allows five, and the oldest one is forgotten.
    static let rememberedActivities = 32
    /// Receipts and counts in one request, as the server accepts; further receipts wait.
    static let eventsPerRequest = 100
    /// Occurrences that one count may have, as the server accepts; further ones are not counted.
    static let countedEvents: Int64 = 1_000
    /// Milliseconds between two requests with receipts before the remote settings name them.
    ///
    /// The server accepts twelve a minute by default. An activity is updated about every 10 s, so that a revision is
    /// confirmed before the next one. Receipts in between wait, and only the newest of an activity is sent.
    static let telemetrySpacing: Int64 = 5_000
    /// The longest spacing in seconds that the server may name; a longer one becomes this one.
    static let longestTelemetrySpacing: Int64 = 3_600
    /// Time for which the start of an activity waits for the match's channel, which the server creates within some 5 s
    /// of the first follow; then the activity starts on a token.
    static let channelTime: Duration = .seconds(8)
    /// Time between two reads of the follows while it waits.
    static let channelPoll: Duration = .milliseconds(500)
    /// Milliseconds (10 minutes) for which the remote settings count as fresh; a foreground after that reads them.
    static let settingsAge: Int64 = 600_000
    /// Milliseconds (30 days) after which a credential is replaced, so that a leaked copy expires.
    static let credentialAge: Int64 = 30 * 86_400_000
    /// Milliseconds (24 hours) after which a token that the server has confirmed is sent again at a start of the app:
    /// Apple may have called it bad since, and 30 tokens an hour are accepted.
    static let tokenAge: Int64 = 86_400_000
    /// Time between two rotations that the server fails to do, in which all other requests are sent.
    static let rotationSpacing: Duration = .seconds(60)
    /// Time for one change, report or registration; then it counts as failed and is repeated.
    static let requestTime: Duration = .seconds(20)
    /// Time for one read, for which a person waits; then it fails with `ClientError.offline`.
    static let readTime: Duration = .seconds(20)
    /// Time for one poll; a later answer would be older than the next poll.
    static let pollTime: Duration = .seconds(10)
    /// Time for the work after a push in the background, of the 30 s of the system; what is left is sent later.
    static let backgroundTime: Duration = .seconds(25)
    /// Milliseconds (30 minutes, the stale date of the server's pushes) without new content after which the app ends an
    /// activity of a match that the server does not list.
    static let quietTime: Int64 = 1_800_000
    /// Milliseconds by which the wall time may differ from the elapsed time; a greater difference means that the clock
    /// was set, and remembered times are moved.
    static let clockTolerance: Int64 = 5_000
    /// Bytes of one answer, 4 times the largest scorecard; a longer one is an error.
    static let answerBytes = 1_048_576
    /// Representations that are kept for conditional reads; the least recently used one is dropped.
    static let keptRepresentations = 32
    /// The first wait after a failure; doubles with each further failure.
    static let firstWait: Duration = .seconds(1)
    /// The longest wait after repeated failures, so that a phone recovers soon after its network does.
    static let longestWait: Duration = .seconds(60)
    /// The longest Retry-After that is obeyed, in seconds; a greater one is a mistake and is shortened to it.
    static let longestRetryAfter: Int64 = 3_600
    /// Bytes of one line of a stream, where a state has at most 3,500; a longer one ends the connection.
    static let eventLineBytes = 65_536
    /// Bytes of the data of one event of a stream; a longer one ends the connection.
    static let eventBytes = 131_072
    /// Bytes of an event id, as the server accepts in Last-Event-ID; a longer id is ignored.
    static let eventIDBytes = 1_024
    /// Matches of one stream, as the server accepts; more are refused with `ClientError.invalidRequest`.
    public static let matchesPerStream = 10
    /// The heartbeat of a stream before `hello` names it.
    static let assumedHeartbeat: Duration = .seconds(15)
    /// Time for the first event of a stream; a later one means that a proxy buffers, and the client polls.
    static let firstEventTime: Duration = .seconds(10)
    /// The heartbeats that the server may name; one outside becomes the nearer bound.
    static let heartbeats: ClosedRange<Duration> = .seconds(1)...(.seconds(120))
    /// Streams that fail in sequence before the client polls instead.
    static let failedStreams = 3
    /// Time for which the client polls before it tries a stream again that the server has answered and that failed.
    static let pollingTime: Duration = .seconds(300)
    /// The same after attempts that no server has answered: a server that restarts is back within seconds.
    static let absentServerTime: Duration = .seconds(15)
    /// The intervals of polling that the server may name; one outside becomes the nearer bound.
    static let pollIntervals: ClosedRange<Duration> = .seconds(1)...(.seconds(300))
    /// Bytes that a stream holds for a slow reader; then the transfer is suspended until the reader continues.
    static let bufferedStreamBytes = 262_144
    /// Matches whose snapshots are kept for widgets, those with an activity first; further ones have none.
    static let sharedMatches = 8
    /// Seconds (24 hours) after which a stored snapshot counts as old.
    static let sharedSurfaceAge: Int64 = 86_400
    /// Notices that wait for the app; the oldest is dropped.
    static let waitingNotices = 64
}
