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
    /// Tokens and sessions in one list; older ones are left out.
    static let listedTokens = 500
    /// Audit entries about denied attempts of one address in a minute; further ones are counted in the next entry.
    static let deniedPerMinute = 10
    /// Addresses whose denied attempts are counted, about 100 bytes each; a dropped one starts at 0 again.
    static let deniedAddresses = 4_096
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

    // MARK: Console

    /// Bytes of a form of the console, which has a token and a path; more is answered with 413.
    static let signInBodyBytes = 2048
    /// Matches in play that the console's overview draws; the list has the others.
    static let consoleCards = 24
    /// Matches in one list of the console; a search finds the others.
    static let consoleRows = 200
    /// Entries of the journal on the console's page of a match; older ones are on the pages of their revisions.
    static let consoleEntries = 40
    /// Time between two looks of an open console page for a change.
    static let consoleLook: Duration = .milliseconds(200)
    /// Time after which an open console page is shown again without a change.
    static let consoleRefresh: Duration = .seconds(3)
    /// Age of a console's event stream; then it ends, and the browser opens the next one.
    static let consoleStreamAge: Duration = .seconds(600)
}
