// The bounds of what operators use: tokens, audit log, switches and console.

extension ServerLimits {
    // MARK: Tokens, audit log and switches

    /// Days for which an admin token is valid unless its order says otherwise.
    static let defaultTokenDays = 90
    /// Days for which an admin token may be valid; others are answered with 422.
    static let tokenDays = 1...365
    /// Time after which a browser's session ends; its user logs in again.
    static let sessionAge = Duration.seconds(8 * 3600)
    /// Time between two stored uses of a token, so that a request seldom writes; a use in between is not stored.
    static let tokenUseInterval = Duration.seconds(60)
    /// Time after its end for which a token is listed; then it is deleted.
    static let endedTokenAge = Duration.seconds(30 * 86_400)
    /// Tokens and sessions in one answer; the next request continues.
    static let listedTokens = 500
    /// Audit entries about denied attempts of one address in a minute; further ones are counted in the next entry.
    static let deniedPerMinute = 10
    /// Addresses whose denied attempts are counted, about 100 bytes each; a dropped one starts at 0 again.
    static let deniedAddresses = 4_096
    /// Audit entries that one page of an actor or a target reads, 60 MB: half a second; the next page continues.
    static let auditEntriesPerSearch: Int64 = 100_000
    /// Audit entries in one check, about a second of work; the next check continues.
    static let auditEntriesPerCheck: Int64 = 100_000
    /// Audit entries that a check reads at a time, about 0.5 MB.
    static let auditEntriesPerRead = 1_000
    /// Faults in one report of a check; further ones are left out.
    static let auditFaults = 100
    /// Audit entries that are deleted at a time; the next hour continues.
    static let auditDeletions = 10_000
    /// Seconds for which a switch may be changed: a minute to 90 days; others are answered with 422.
    static let flagSeconds: ClosedRange<Int64> = 60...7_776_000
    /// Characters of the text that apps show; a longer one is answered with 422.
    static let bannerLength = 200
    /// Time between two looks for a switch that expires; half of the second in which it has to take effect.
    static let flagInterval = Duration.milliseconds(500)
    /// Time between two looks at the head of the audit log, for its metrics.
    static let auditHeadInterval = Duration.seconds(60)
    /// Looks between two checks, deletions and log lines with the head: one hour.
    static let auditUpkeepLooks = 60

    // MARK: Devices, activities and streams

    /// Activities in one answer; the next request continues.
    static let activitiesPerPage: Int64 = 200
    /// Pages of activities that are read for one answer with a filter by lag; then the answer is short.
    static let activityPagesPerAnswer = 10
    /// Time for which one request searches the activities for a fingerprint; the next request continues.
    static let fingerprintSearch = Duration.seconds(2)

    /// Time after which the app of a blocked device may call again.
    static let blockedRetry = Duration.seconds(3600)
    /// Streams in one answer; the next request continues.
    static let streamsPerPage: Int64 = 200
    /// Characters of the build of an app.
    static let buildLength = 32
    /// Seconds of an age of streams; others are answered with 422.
    static let streamAges: ClosedRange<Int64> = 1...86_400
    /// Milliseconds within which the clients of ended streams reconnect, unless an order says otherwise.
    static let streamSpread: Int64 = 10_000
    /// Milliseconds that an order may name for that: a second to ten minutes; others are answered with 422.
    static let streamSpreads: ClosedRange<Int64> = 1_000...600_000
    /// Time for which an order about streams waits for the answers of all nodes; then it names those without one.
    static let streamOrderWait = Duration.seconds(3)
    /// Time for which a list of streams waits for the threads that have them; the streams of a late one are left out.
    static let streamListWait = Duration.seconds(1)

    // MARK: Pushes

    /// Accepted pushes of each class that operators can read, about 5 KB each with payload; the oldest is forgotten.
    static let acceptedPushesKept = 256
    /// Pushes of each class and reason that were not accepted; the oldest is forgotten.
    static let refusedPushesKept = 64
    /// Pushes in one list; the next page has the others.
    static let pushesPerPage: Int64 = 200

    // MARK: Sweeps

    /// Domain time between two sweeps of the timer, and after one that left more.
    static let sweepInterval = Duration.seconds(60)
    /// Domain time between two sweeps that delete by age.
    static let retentionInterval = Duration.seconds(3600)
    /// Rows that one sweep changes; its summary says that more wait.
    static let itemsPerSweep = 10_000
    /// Matches that one sweep deletes, about 600 rows each; the next one continues.
    static let matchesPerRetention = 50
    /// Runs of each sweep that operators see; older ones are deleted after a day.
    static let listedSweeps = 12

    // MARK: Nodes

    /// Longest pause of a starting node before its second call to PostgreSQL; it doubles with each further one.
    static let databasePauseShortest = Duration.milliseconds(500)
    /// Longest pause of a starting node between two calls to PostgreSQL.
    static let databasePauseLongest = Duration.seconds(10)
    /// Seconds over which a drained node ends its streams; others are answered with 422.
    static let drainSeconds: ClosedRange<Int64> = 0...600
    /// Seconds over which it does so unless the operator says otherwise.
    static let usualDrainSeconds: Int64 = 30
    /// Time between two looks for an order to drain, and two reports of a node.
    static let drainLookInterval = Duration.milliseconds(500)
    /// Time between two steps of the end of a drained node's streams.
    static let shedInterval = Duration.milliseconds(200)

    // MARK: Logs and reports

    /// Lines that wait behind those that the thread writes, some megabytes; a further one is dropped and counted.
    static let logLines = 8_192
    /// Time at the end of the process for the lines that wait; the rest is lost.
    static let logFlushTime = Duration.seconds(2)
    /// Newest warnings and errors in memory, for a report.
    static let keptLogLines = 500
    /// Bytes of one of them; the rest is cut.
    static let keptLogLineBytes = 4_096
    /// Time between two looks at the database pools, for their metrics.
    static let poolLookInterval = Duration.seconds(1)
    /// Seconds for which a log level may be changed; others are answered with 422.
    static let logLevelSeconds: ClosedRange<Int64> = 1...3_600
    /// Seconds for which it is changed unless the operator says otherwise.
    static let usualLogLevelSeconds: Int64 = 600
    /// Changes of log levels at a time; a further one is refused.
    static let logLevelChanges = 50
    /// Bytes of the fingerprint of a secret: enough to compare nodes, too few to find the secret.
    static let fingerprintBytes = 4

    // MARK: Console

    /// Matches whose counts of followers are kept for pages; further ones are counted anew.
    static let countedMatches = 512
    /// Time between two counts of the followers of a match that an open page shows.
    static let audienceInterval: Duration = .milliseconds(500)
    /// Time that a page waits for the first count of a match; then it is shown without.
    static let pageCountWait: Duration = .milliseconds(15)
    /// Time that the admin API waits for the first count of a match; then `counted` is false.
    static let countedWait: Duration = .seconds(3)
    /// Time between two orders to send the state of a match again: one more is answered with 429.
    static let republishInterval: Duration = .seconds(30)
    /// Bytes of a state by hand with its attributes; more is answered with 413.
    static let drawnStateBytes = 32_768
    /// Entries of captures in an answer; older ones are found by their match or time.
    static let capturesPerPage: Int64 = 200
    /// Revoked alerts in an answer; the next request continues.
    static let revokedAlertsPerPage: Int64 = 500
    /// Revoked alerts on the console's page; the API has the older ones.
    static let revokedAlertsShown = 100
    /// Reads of captures that wait for another one; more are answered with 503.
    static let waitingCaptureReads = 8
    /// Bytes of a form of the console, which has a token and a path; more is answered with 413.
    static let signInBodyBytes = 2048
    /// Matches in play that the console's overview draws; the list has the others.
    static let consoleCards = 24
    /// Matches in play up to which the overview draws the Lock Screen of each; more are shown as scores.
    static let consolePictures = 6
    /// Matches in one list of the console; a search finds the others.
    static let consoleRows = 100
    /// Pushes that APNs did not accept on the console's overview; the list has the others.
    static let consoleRefusals = 6
    /// Entries of the journal on the console's page of a match; older ones are on the pages of their revisions.
    static let consoleEntries = 40
    /// Entries of the journal beside the phones of a match, about an over; the match's page has more.
    static let consoleBalls = 8
    /// Revisions whose bytes are kept for further drawings, about 4 KB each; the oldest are read again.
    static let drawnRevisions = 512
    /// Values in a list of what a revision changed; a content state has fewer.
    static let shownDifferences = 60
    /// Newest runs of a sweep on the console's page; the API has more.
    static let consoleSweepRuns = 4
    /// Time between two looks of an open console page for a change.
    static let consoleLook: Duration = .milliseconds(200)
    /// Time after which an open console page is shown again without a change.
    static let consoleRefresh: Duration = .seconds(3)
    /// Age of a console's event stream; then it ends, and the browser opens the next one.
    static let consoleStreamAge: Duration = .seconds(600)
}
