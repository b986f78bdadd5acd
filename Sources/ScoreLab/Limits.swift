// Every bound of this target in one place: value, unit, reason, and what happens when it is reached.

import CurlTransfer
import PushDispatcher
import ScoreIngest

/// The bounds of score-lab.
enum LabLimits {
    // MARK: Verification and proofs

    /// Bytes of a match file, thirty times the longest match on record; a larger one is reported as unreadable.
    static let matchFileBytes = 64 << 20
    /// Bytes of a table of innings totals, a hundred times the innings ever recorded; a larger one is refused.
    static let totalsFileBytes = 256 << 20
    /// Lines of one failure that are printed unless all are wanted; the rest is left out.
    static let failureLines = 6
    /// Differences of one match that are printed: the first is the cause, the rest follow from it and are only counted.
    static let differencesOfMatch = 5
    /// Real time without an answer that is no silence at any speed, in play and in a break.
    static let silenceAtAnySpeed: Duration = .seconds(2)
    /// Age of a ball whose alert is sent after a silence; an older one may be passed over.
    static let freshBall: Duration = .seconds(60)
    /// Polls after the match is over until it has to look right; then it is compared as it is.
    static let lastPolls = 400
    /// Tries of a poll that fails, enough to find a match gone; then the next stride follows.
    static let pollTries = IngestLimits.goneMax + 2
    /// Polls of a pending moment: the last one comes when its longest wait is over.
    static let confirmingPolls = 6
    /// Ports for servers that restart: below 32,768, where Linux takes its ports for connections from.
    static let ports = 20_000...31_999
    /// Processes that draw different ports, by their ids; each has a thousand.
    static let portShares = 12
    /// Draws until one of the ports is free; then most of them are in use, and the command ends.
    static let portDraws = 1_000
    /// Time between two lines of progress.
    static let progressInterval: Duration = .seconds(10)
    /// Time between two polls, short enough to be no silence of the feed; a longer wait is divided.
    static let stride: Duration = .seconds(390)

    // MARK: Feeds

    /// Matches of a folder that are served, in order of name; more would make every list a long one.
    static let servedMatches = 200

    // MARK: Demo

    /// Time from the start of the server to being ready; then the demo fails.
    static let serverReady = Duration.seconds(60)
    /// Time after the feed's end in which the phones show the newest state; then the summary counts those that do not.
    static let convergence = Duration.seconds(90)
    /// Median time from the serving of a ball to its first push, fifty times that of an idle machine; more is a fault.
    static let ballToFirstPush = Duration.seconds(5)
    /// Time in which pushes alone show the end of a match on the phones; then the persons open their apps.
    static let arrival = Duration.seconds(10)
    /// Requests of phones in progress, two for each phone; further ones fail as without a network.
    ///
    /// On a network with faults a phone must not find the silent connections of many others, as in a pool of 64.
    static func transfersOfPhones(_ phones: Int, hasNetworkFaults: Bool = false) -> TransferBounds {
        TransferBounds(
            transfers: max(1_024, 2 * phones),
            connectionsPerHost: 64,
            idleConnections: hasNetworkFaults ? 6 : 64
        )
    }
    /// Kills of the server in one demo, half of the restarts after which a run gives up; more are refused.
    static let kills = 10
    /// Servers of a demo, twice those of a node that is replaced; more are refused.
    static let demoNodes = 4
    /// How often a demo looks whether something has happened.
    static let demoPoll = Duration.milliseconds(50)
    /// How long a demo that does not exit stays.
    static let visit = Duration.seconds(86_400)

    // MARK: Processes

    /// Restarts of a server before a run gives up: one that cannot start fails the 21st time too.
    static let restarts = 20
    /// Time in which a server ends after SIGTERM; then it is killed.
    static let serverStop = Duration.seconds(15)
    /// Time in which the kernel removes a killed process; then it is left.
    static let serverKill = Duration.seconds(5)
    /// How often it is looked whether a process has ended.
    static let exitPoll = Duration.milliseconds(20)
    /// Time in which cancelled work returns; then its parts are undone beneath it.
    static let cancellation = Duration.seconds(15)
    /// Requests of the one address that all phones of a run share; further ones are answered 429.
    static let requestsOfPhones = "1000000/1s"

    // MARK: Histories of clients

    /// Histories of one run, half an hour of them; more are refused.
    static let histories = 100_000
    /// Histories that are reported with their events; further ones are counted.
    static let failedHistories = 20
    /// Requests and waits until a client is settled, enough for a full queue of 256 changes; then its history fails.
    static let settlingSteps = 400
    /// Tries to read the end of a history from a busy server; then the run fails.
    static let readTries = 20
    /// Time between two of them.
    static let readPause = Duration.milliseconds(100)

    // MARK: Crash test

    /// Seeds of a crash test, some 20 s each; more are refused.
    static let crashSeeds = 1_000
    /// Seeds on one test bed, each with a wicket: the fortieth would end its match; the others get a new test bed.
    static let crashSeedsPerMatch = 39
    /// Phones without a client, some 3 KB each; more are refused.
    static let crashActivities = 1_000_000
    /// Phones with the client library, as many as a demo was measured with; more are refused.
    static let crashClients = 2_000
    /// A wait of a crash test, long enough for two hundred thousand pushes on a busy machine; then the seed fails.
    static let crashWait = Duration.seconds(120)
    /// Completed sends of a node that may not be recorded yet; more repetitions fail the run.
    static let unrecordedPushes = 1_000
    /// Connections of a node to APNs in a run; each has so many requests under way as APNs allows.
    static let connections = 2
    /// Pushes that a crash may repeat: those in flight, by the most streams of a connection, and those not recorded.
    static func repeatedPushes(streamsMost: Int) -> Int { connections * streamsMost + unrecordedPushes }
    /// Time in which the other node takes over; a longer one fails the run.
    static let takeover = Duration.seconds(4)
    /// The same after SIGTERM: a node waits three seconds for open answers, and five for a failing store.
    static let handOver = Duration.seconds(12)
    /// Provider tokens in use at one time: that of all nodes, and the one that it replaces; more fail the run.
    static let providerTokens = 2

    // MARK: Soak

    /// Minutes of a soak: a quarter holds a round and its wait for the list; others are refused.
    static let soakMinutes = 8...1_440
    /// Matches of one round of a soak; more are refused.
    static let soakMatches = 20
    /// Time between two samples of a server.
    static let soakSampling = Duration.seconds(2)
    /// The first part of the samples, in which caches fill; it is not judged.
    static let soakWarmUp = 1.0 / 3
    /// Growth over the judged time above which a server leaks: bytes, and descriptors.
    ///
    /// Both are above the noise of the rounds, whatever the length: a longer soak finds slower leaks.
    static let soakGrowth = (bytes: 24e6, descriptors: 16.0)
    /// Equal parts of a soak; a part without work of some kind fails the run.
    static let soakParts = 4
    /// Part of the short streams, 0 to 1, that may be refused: a match is not listed when its round begins.
    static let soakRefusedStreams = 0.5
    /// Time in which a match of a new round is listed; then the soak fails.
    static let soakListing = Duration.seconds(60)
    /// Time for the pushes at the end of a round.
    static let soakEnding = Duration.seconds(2)
    /// Life of one of the short streams.
    static let soakStream = Duration.seconds(1)

    // MARK: Benchmarks

    /// Requests for one snapshot: a page for each over of a match of many innings; further ones are not sent.
    static let snapshotRequests = 2_000
    /// Innings of the match of a benchmark, a Test; it has no more balls.
    static let benchInnings = 4
    /// Time in which a rotation is seen, the promise is a quarter of a second; then the benchmark fails.
    static let rotationSeen = Duration.seconds(30)
    /// Time in which a publication of a benchmark is answered; then it fails.
    static let benchAnswer = Duration.seconds(10)
    /// Devices of the benchmark of audiences: 50 million need 200 GB; more are refused.
    static let audienceDevices = 10_000...50_000_000
    /// Matches of that benchmark; more are refused.
    static let audienceMatches = 1_000
    /// Longest round trip of a sink, in milliseconds: a dispatcher repeats a request after eight seconds.
    static let benchRoundTripMilliseconds = 5_000.0
    /// Connections of a dispatcher to a sink, as many as a node may have; more are refused.
    static let benchConnections = PushLimits.connections
    /// Time in which the gauges of a dispatcher are current.
    static let gaugeAge = Duration.seconds(1)
    /// Tokens of a file that pushes are sent to, as many as wait in the queue of a lane; a longer file is refused.
    static let sentTokens = 50_000
    /// Activities that the benchmark of the console registers; more are refused.
    static let benchTokens = 5_000_000
    /// Time in which the server of the benchmark of the console has all matches and activities in memory.
    static let consoleServerQuiet = Duration.seconds(900)
    /// Time between two looks at that server.
    static let serverLook = Duration.milliseconds(500)
    /// Time over which the processor time of a server without an open page is measured.
    static let consoleIdle = Duration.seconds(20)
    /// Matches that the benchmark of reads writes and reads in turn; more are refused.
    static let readMatches = 1_000
    /// Time in which a server of the benchmark of reads answers; then the benchmark fails.
    static let readServerStart = Duration.seconds(10)
    /// Time in which a load generator ends beyond its own; then the benchmark fails.
    static let loadGeneratorEnd = Duration.seconds(30)
    /// Orders that wait for the readers of the benchmark of streams, which gets three; further ones are dropped.
    static let crowdOrders = 100
    /// Time between two looks for readers that have to connect; a rate of 500 a second opens 25 at a time.
    static let crowdConnects = Duration.milliseconds(50)
    /// States by which a reader may move at once; older ones do not count as received.
    static let skippedStates: Int64 = 64
    /// Streams of one node of that benchmark, the default of a server.
    static let streamsOfNode = 50_000
    /// Seconds after the last opening in which streams of vanished readers end; later ones are not counted.
    static let vanishedGone = 60
    /// Time between two registrations while all readers return.
    static let stormRegistration = Duration.milliseconds(200)
    /// Streams from one address in that benchmark, below the 20 that a server allows by default.
    static let streamsOfAddress = 16
    /// Descriptors of a server or of that benchmark beside its streams.
    static let otherDescriptors = 400
    /// Time in which all streams are back after a restart; then the figure is missing.
    static let streamStorm = Duration.seconds(120)
    /// Connections a second of a storm: each reader at once.
    static let stormConnects = 100_000
    /// Time in which a server has returned the memory of many streams that opened or closed.
    static let streamSettling = Duration.seconds(10)
    /// Time in which the counts of a fan-out settle; then they are compared as they are.
    static let settling = Duration.seconds(10)
}
