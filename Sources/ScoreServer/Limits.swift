// Every bound of this target in one place: value, unit, reason, and what happens when it is reached.

import NIOCore
import Providers

/// The bounds of the server: requests, caches, answers, streams, files of settings, logs and database connections.
///
/// Rates and numbers of streams are settings (`limits.*` in `ConfigurationKeys`), not constants.
enum ServerLimits {
    // MARK: Requests

    /// Bytes of a request's target and headers together; our clients need one KiB, and more is answered with 431.
    static let headerBytes = 16 * 1024
    /// Header fields of a request; more are answered with 431.
    static let headerFields = 100
    /// Time for which a browser keeps the answer to a preflight request; a changed setting reaches pages after it.
    static let preflightAge: Duration = .seconds(3600)
    /// Bytes of a query that are read; the rest is ignored.
    static let queryBytes = 2048
    /// Bytes of a body with one device, token, follow or activity; more is answered with 413.
    static let bodyBytes = 16 * 1024
    /// Bytes of a body with all follows or all activities of a device; more is answered with 413.
    static let listBodyBytes = 64 * 1024
    /// Bytes of a webhook's body as posted; a Test match in gzip has 200 KB, and more is answered with 413.
    static let noticeBodyBytes = 1024 * 1024
    /// Bytes of a body of the admin API; more is answered with 413.
    static let adminBodyBytes = 16 * 1024
    /// Time for a whole body to arrive, which single bytes do not extend; then the answer is 408.
    static let bodyDeadline: Duration = .seconds(10)
    /// Time for the handler of a public request; then the answer is 503 and the work is cancelled.
    static let handlerDeadline: Duration = .seconds(5)
    /// Time for the handler of an internal request; then the answer is 503 and the work is cancelled.
    static let adminHandlerDeadline: Duration = .seconds(10)
    /// Connections that wait to be accepted; the kernel refuses further ones.
    static let acceptBacklog = 1024
    /// Events in one body of telemetry; more are answered with 422.
    static let telemetryEvents = 100
    /// Occurrences that one event of telemetry counts; more are answered with 422.
    static let telemetryCount: Int64 = 1_000
    /// Devices and kinds whose newest counted event is in memory, about 100 bytes each.
    ///
    /// The least recently used are dropped; a batch of theirs that arrives again is counted again.
    static let telemetryDevices = 100_000
    /// Mistakes that one answer lists, so that a wrong body cannot cause a larger answer; further ones are left out.
    static let fieldErrors = 32

    /// The sequence numbers of a device, up to 2^53 - 1, which JSON readers represent exactly; others get 400 or 422.
    ///
    /// An unbounded number could lock a resource for ever.
    static let clientSequences: ClosedRange<Int64> = 1...9_007_199_254_740_991

    // MARK: Connections

    /// Time for the head of a request to arrive, from its first byte or from a new connection; then it closes.
    static let requestHeadTime: TimeAmount = .seconds(5)
    /// Time for a whole body to arrive when no handler reads it; longer than `bodyDeadline`, which answers 408.
    static let requestBodyTime: TimeAmount = .seconds(15)
    /// Time between two requests of a connection; then it closes.
    ///
    /// Proxies keep idle ones for 60 s and close them first.
    static let connectionIdle: TimeAmount = .seconds(75)
    /// Time in which a client has to read `unreadOutputBytes` or the rest of its answers; then the connection closes.
    static let unreadOutputTime: TimeAmount = .seconds(10)
    /// Bytes that a client has to read in `unreadOutputTime`: 1.6 KB a second, less than the slowest radio link.
    static let unreadOutputBytes = 16 * 1024
    /// Bytes that the kernel buffers for one client, so that many slow readers cannot fill its memory; writes wait.
    static let connectionSocketBytes: ChannelOptions.Types.SocketOption.Value = 128 * 1024
    /// Requests of one connection; the last answer closes it, so that clients spread over nodes again.
    static let requestsPerConnection = 10_000
    /// Requests of one connection that wait for their answers; one more closes it.
    ///
    /// Apps send one at a time.
    static let pipelinedRequests = 16
    /// Time for which a connection that the server ends still reads, so that the client receives the last answer.
    static let connectionLinger: TimeAmount = .seconds(2)
    /// Bytes that such a connection still reads, a few socket buffers; then it closes at once.
    static let connectionLingerBytes = 256 * 1024
    /// Time for requests in progress when the server shuts down; then their connections close.
    static let connectionDrain: TimeAmount = .seconds(6)
    /// Time between two reports to a systemd that sets no limit and ignores them.
    static let watchdogIdle: Duration = .seconds(3600)
    /// Time between two checks of all connections' times, by which each of them may be shorter.
    static let connectionCheck: TimeAmount = .milliseconds(250)
    /// Milliseconds for which sent bytes may stay unacknowledged; then the kernel closes the connection.
    ///
    /// With the pings of a stream, a client that vanished leaves within a minute.
    static let unacknowledgedMilliseconds: ChannelOptions.Types.SocketOption.Value = 30_000
    /// Connections of the internal listener; further ones get 503.
    static let internalConnections = 128
    /// Descriptors that clients leave free: for the database, feeds, APNs and the internal listener.
    static let reservedDescriptors = 256
    /// One in so many descriptors of clients is left to requests when streams would take all.
    ///
    /// Further streams get 503, and a request is still answered. Requests may use what streams leave.
    static let descriptorsPerRequestDescriptor = 4

    // MARK: Caches

    /// Answers kept for repeated requests, about 1 KiB each; the oldest are dropped.
    static let idempotencyKeys = 20_000
    /// Time for which an answer can be requested again; it contains a credential, so it is not kept longer.
    static let idempotencyAge: Duration = .seconds(600)
    /// Matches in memory, about 10 KiB each, four times that when all forms are read; beyond it a removed one, else the
    /// finished one with the oldest publication is dropped.
    static let cachedMatches = 5_000
    /// Devices whose credential digest is in memory, about 100 bytes each; the least recently used are dropped.
    static let cachedCredentials = 100_000
    /// Time for which a digest in memory is valid; an erased device is refused after it at the latest.
    static let credentialAge: Duration = .seconds(60)
    /// Time for which a digest in memory refuses a wrong credential, once its device's quota of wrong ones is spent.
    ///
    /// Then it is read again, so that a credential that another node has made is accepted after it at the latest.
    static let credentialRecheck: Duration = .seconds(1)
    /// Unknown device ids that are in memory, about 50 bytes each; the least recently used are looked up again.
    static let unknownDevices = 20_000
    /// Time between two measurements of how late a task is resumed; a shorter one would keep an idle machine awake.
    static let taskLagInterval: Duration = .milliseconds(250)
    /// Channels whose records are in memory, about 300 bytes each; the least recently used are read again.
    static let knownChannels = 2_000
    /// Clients with a token bucket in memory, about 100 bytes each; a dropped one starts with a full bucket again.
    static let rateLimitedClients = 100_000
    /// Newest bodies of one feed's webhooks that are always recognised as repeated, ten minutes of ten matches.
    ///
    /// At most as many older ones are recognised too; then those are forgotten.
    static let noticeDigests = 6_000
    /// Time that a webhook's body may lie behind the second newest of its feed, in seconds of the provider's clock.
    ///
    /// An older one is answered and ignored. The provider's clock may be wrong by hours; it only has to run forward.
    static let noticeDelaySeconds: Int64 = 300
    /// Time that a webhook's body may lie ahead of our clock, in seconds; beyond it its time is ignored.
    static let noticeLeadSeconds: Int64 = 86_400

    /// Finished matches loaded after a start; the fullest week of cricket had 79, and others load when they are read.
    static let recentMatches = 500
    /// Real time between two rounds that load finished matches, since a full cache may have dropped some.
    static let recentMatchesInterval = Duration.seconds(3600)
    /// Real time before the next round after a failure.
    static let recentMatchesRetry = Duration.seconds(60)
    /// Real time between two checks whether the matches in play are recovered, before finished ones are loaded.
    static let recoveryCheckInterval = Duration.milliseconds(200)
    /// Real time between two checks of the signing key's file.
    static let signingKeyInterval = Duration.seconds(15)

    /// Bytes up to which an answer is sent without compression, since it fits into one packet.
    static let plainBodyBytes = 1024
    /// Matches whose balls are in memory for reads of overs, a T20 about 0.2 MB, a Test 1.5 MB; the least recently used
    /// are read again.
    static let matchesWithBalls = 16
    /// Answers with past revisions and overs in memory, at most 20 KiB each; the least recently used are made again.
    static let historyAnswers = 256
    /// Reads of past revisions and of balls that run at once; each holds a connection of `apiConnections`.
    static let historyReaders = 2
    /// Reads that wait for one of the readers; further ones are answered with 503.
    static let waitingHistoryReads = 32
    /// Time for which the list of teams and tournaments is kept; a new team appears after it at the latest.
    static let directoryAge = Duration.seconds(60)
    /// Pages of teams and tournaments in memory, about 10 KiB each; the least recently used are rendered again.
    static let directoryPages = 64

    // MARK: Lists

    /// Rendered lists of matches in memory, about 60 KiB for a full page; the least recently used are rendered again.
    static let renderedLists = 64
    /// Bytes of a query whose list is kept, more than all parameters need; one with more is rendered each time.
    static let renderedListQueryBytes = 256
    /// Matches in one page of the list; the next page holds the rest.
    static let matchesPerPage: Int64 = 100
    /// Time for which a finished match is listed after its last publication; then only its id finds it.
    static let finishedMatchAge = Duration.seconds(7 * 24 * 3600)
    /// Journal entries in one public answer; the next request continues.
    static let changesPerPage: Int64 = 500
    /// Matches in a body with all follows: the 50 that a device may follow and as many finished ones; else 422.
    static let followsPerBody = 100
    /// Activities in a reconcile; a phone allows five, and a longer list is answered with 422.
    static let activitiesPerBody = 16
    /// Journal entries in one answer of the admin API; the next request continues.
    static let logEntriesPerPage: Int64 = 500
    /// Audit entries in one answer; the next request continues.
    static let auditEntriesPerPage: Int64 = 200
    /// Aliases in one body; a longer list is answered with 422.
    static let aliasesPerBody = 200
    /// Aliases in one answer; the next request continues.
    static let aliasesPerPage: Int64 = 1_000
    /// Bytes of a file of aliases: a full table with two long ids each, in ASCII; a larger one is refused.
    static let aliasFileBytes = AdapterLimits.aliases * 450
    /// Mistakes reported for one file of aliases; further ones are left out.
    static let aliasFileMistakes = 20
    /// Failed checks in a row after which a node reports that it is not ready.
    static let readinessFailures = 2

    // MARK: Streams

    /// Matches of one stream; more are answered with 400.
    static let matchesPerStream = 10
    /// Bytes of an event id from a client: ten matches with the longest ids; a longer one counts as unknown.
    static let eventIDBytes = 1024
    /// Bytes that the kernel buffers for one reader; states beyond them are conflated.
    static let streamSocketBytes: Int32 = 64 * 1024
    /// Bytes of them that the kernel keeps unsent while a reader takes nothing; more wait as the newest state.
    ///
    /// A reader that takes nothing is found in seconds and not with the 64 KiB, before it counts as vanished.
    static let streamUnsentBytes: Int32 = 8 * 1024
    /// Bytes of all streams of this node that wait for slow readers; beyond it the streams with the most of them end.
    ///
    /// A reader has at most one write's events of its own; the events behind them are shared by all readers.
    static let unsentStreamBytes = 512 * 1024 * 1024
    /// Threads that write to streams; one core each is enough for 20,000 readers and one ball a second.
    static let streamLoops = 2
    /// Work that waits for one of these threads; further states reach its streams with the next one.
    static let streamOrders = 100_000
    /// Sockets that one turn of such a thread looks at; the rest follows in the next turn.
    static let streamEventsPerTurn = 256
    /// Streams that one turn opens, about a millisecond of work; the rest follows after the states that came meanwhile.
    static let streamOpensPerTurn = 32
    /// Streams that opened or closed until freed memory returns to the system; fewer would not be noticed.
    static let streamChangesBeforeTrim = 1_000
    /// Streams that open or close in a quiet second, 67 of 20,000 that last ten minutes; more delay the return.
    static let streamChangesWhenQuiet = 100
    /// Time in which a client acknowledges what it was sent, a ping at least; then it counts as vanished.
    static let streamAcknowledgement: Duration = .seconds(30)
    /// Time in which readers take their last event at shutdown; then their sockets close.
    static let streamDrain: Duration = .seconds(2)
    /// Time for which a stream waits until this node shows what another node has sent its client; then it is reset.
    static let otherNodeLead: Duration = .seconds(1)
    /// Time between two looks for it.
    static let otherNodeLook: Duration = .milliseconds(20)
    /// Time after which the client of an old stream returns, in milliseconds, random so that clients return evenly.
    static let streamReturnMilliseconds: ClosedRange<Int64> = 100...2_000
    /// Changes of a match in memory, from which streams resume; older ones are read from the journal.
    static let ringChanges = 1_024
    /// Age of a change in memory, by PostgreSQL's clock; an older one is read from the journal.
    static let ringAge: Duration = .seconds(1_200)
    /// Time between two searches for matches whose changes are all too old.
    static let ringInterval: Duration = .seconds(60)
    /// Changes that a stream reads from the journal when it opens; a client that lacks more gets a reset.
    static let replayedRows: Int64 = 500
    /// Streams of this node that read the journal in a second; further ones get a reset with the state in memory.
    ///
    /// A storm of reconnects does not reach the database.
    static let databaseReplaysPerSecond = 64
    /// Time for such a reading of one match; then the client gets a reset.
    static let replayDeadline: Duration = .seconds(2)
    /// Events that wait for one reader in balls mode; beyond it the reader gets a reset, and the second time a `bye`.
    static let queuedBalls = 256
    /// Bytes of these events, which all readers share.
    static let queuedBallBytes = 256 * 1024
    /// Events in one write in balls mode, so that a slow reader has the write deadline for each few of them.
    static let ballsPerWrite = 32
    /// Time without an event after which a ping is sent, ±10 % for each connection.
    static let streamHeartbeat: Duration = .seconds(15)
    /// Age at which a stream ends, ±20 %, so that clients reconnect evenly over time.
    static let streamAge: Duration = .seconds(600)
    /// Time for one write to a stream; then the stream closes as slow.
    static let streamWriteDeadline: Duration = .seconds(5)
    /// Time for which a stream stays open after the end of its last match.
    static let streamLinger: Duration = .seconds(5)
    /// Time between two checks of all streams' times.
    static let streamTick: Duration = .seconds(1)
    /// Real time between two searches for devices that any node has erased; then their streams end.
    static let revocationInterval: Duration = .seconds(1)
    /// Time for which a device is found again after a change of its access.
    ///
    /// It is longer than `credentialAge`, in which a node may still open its streams, and than clocks of nodes differ.
    static let revocationOverlap: Duration = .seconds(120)
    /// Devices that one search finds, the newest changes first; the streams of others end of age.
    static let revocationsPerSearch = 10_000

    // MARK: Settings

    /// Bytes of the `.env` file; a real one has a few dozen lines, and a larger one is refused.
    static let environmentFileBytes = 64 * 1024
    /// Bytes of the file of feeds; a larger one is refused.
    static let feedFileBytes = 64 * 1024
    /// Bytes of a file with a secret; tokens have a few hundred, and a larger one is refused.
    static let secretFileBytes = 4 * 1024
    /// Feeds of one deployment: every provider, some of them twice; more are refused.
    static let feeds = 16
    /// Hosts or marquee matches of one feed; more are refused.
    static let wordsPerFeed = 200

    // MARK: Logs and metrics

    /// Bytes of one value in a log line, so that a line fits into a datagram; the rest is cut.
    static let logValueBytes = 2048
    /// Lines about push attempts with one reason in a minute; further ones are counted.
    static let attemptLinesPerMinute = 10
    /// Metric series of a process; further ones are counted in `score_metrics_dropped_total`.
    static let metricSeries = 3000
    /// Time after its verification in which a scraper reads metrics though the database cannot check its token.
    ///
    /// It is long enough for the alerts of an outage. A token that another node revokes in the outage is refused after
    /// it at the latest.
    static let scraperAge: Duration = .seconds(3600)
    /// Scrapers that are accepted so, about 200 bytes each; beyond it the oldest verification is dropped.
    static let knownScrapers = 16
    /// Time for the check of a known scraper's token; then the database counts as unavailable.
    ///
    /// It is well below the 10 s after which Prometheus gives up.
    static let scraperCheckTime: Duration = .seconds(2)

    // MARK: Database connections

    // With two for terms and leases, five listeners, one that follows activities and at times one that reads them, a
    // node has 25 connections at most.

    /// Connections for requests of phones: four batch writers and some reads; further calls wait or get 503.
    static let apiConnections = 8
    /// Connections for the node's own work and for operators; further calls wait.
    ///
    /// Starts, ends, evictions, notifications, sweeps, feeds: little of it runs at once, and a long sweep leaves two.
    static let dutyConnections = 3
    /// Connections for the journal alone, so that requests of phones delay no ball; further calls wait.
    static let journalConnections = 3
    /// Connections for the progress of fan-outs alone, so that a crash repeats few pushes; further calls wait.
    static let progressConnections = 2
    /// Time for a statement of a phone's request, which needs two at most; then PostgreSQL cancels it.
    static let apiStatementTime = Duration.seconds(2)
    /// Time for which a transaction of a phone's request may be idle, after its node was stopped.
    ///
    /// Then PostgreSQL ends it; less than `apiStatementTime`, so that others who wait for its locks answer in time.
    static let apiIdleTime = Duration.milliseconds(1_500)
    /// Time for a statement of the node's own work, which may read or end a page of followers; then it is cancelled.
    static let dutyStatementTime = Duration.seconds(5)
}
