// Every bound of this target in one place: value, unit, reason, and what happens when it is reached.

/// The bounds of replies; a reply beyond one of them is refused with `AdapterError.outOfRange`, unless said otherwise.
public enum AdapterLimits {
    // MARK: A match

    /// Innings of a match: four, or two and many more super overs than the dozen on record.
    static let innings = 40
    /// Overs of an innings; the longest ever had 335.
    static let overs = 9_999
    /// Balls of a match; the longest have some three thousand.
    static let balls = 20_000
    /// Events in the commentary of an innings; the longest ever had some 2,000 balls.
    static let events = 8_000
    /// The label of a ball of EntitySport; the longest known over had 77 balls.
    static let label = 500
    /// Deliveries of an over of Cricsheet, by number.
    static let deliveriesOfOver = 4_000
    /// Balls of an over of Sportmonks that are ordered by their labels; a longer over stays in the order of its ids.
    static let rowsOfOver = 200
    /// Runs of one kind on one ball; the most ever claimed is 286.
    static let runsOfBall = 999
    /// Runs of an innings, a target or a penalty award.
    static let runsOfInnings = 99_999
    /// People of a match: two squads with all their officials.
    static let people = 500
    /// Names in one list: a squad, the fielders of a ball, absent batters.
    static let names = 100
    /// Rows of totals or of a batting card of Sportmonks.
    static let rows = 500
    /// Days of a match: twice a Test of five days; later days are left out.
    static let days: Int64 = 10

    /// Balls of a later innings of Roanuz after which a break is its own end: two overs, about eight minutes; no status
    /// is stale for so long.
    static let staleBreakBalls = 12
    /// The key of a ball of Roanuz in the last valid innings.
    static let ballKey: Int64 = 1 << 26
    /// The id of a row of Sportmonks: a larger one does not fit an order key.
    static let rowID = 1 << 43 - 1
    /// Runs of one part of a score of Sportmonks; the most ever on one ball is far below.
    static let runsOfScorePart = 99
    /// Bytes of a key of four numbers with their signs and the points between them; no key has more.
    static let dottedKeyBytes = 4 * 20 + 3

    // MARK: Lists

    /// Entries of a list: the matches of a season of all cricket, or a table of scores.
    static let entries = 20_000
    /// Entries of a list that are left out because they cannot be read; with more of them the list is refused.
    static let unreadableEntries = 100

    /// Pages of one list of Sportmonks that are requested: no two days have five hundred matches.
    static let fixturePages = 5

    // MARK: Pages of balls of Roanuz

    /// Pages of a match; further ones are not read.
    static let overPages = 900
    /// Pages that one call requests, so that a Test that is followed late does not spend an hour's budget; the next
    /// calls request the others.
    static let requestedPages = 20
    /// Pages of each kind of an innings that one call requests again because its balls disagree with its total.
    static let suspectPages = 4
    /// Pages that one call requests again because of a batter; the difference may be permanent.
    static let mismatchedPages = 1
    /// The same after the end of the match, when few polls are left.
    static let mismatchedPagesAtEnd = 4

    // MARK: Replies

    /// Replies that are held of a match, with one a half over in the longest innings ever, or of lists by day.
    ///
    /// A further one is not taken.
    public static let parts = 1_000
    /// Bytes of a pushed body after unpacking, as of a polled reply.
    static let pushedBytes = 4 << 20
    /// Characters of a word or a reason that an error repeats; the rest is cut.
    static let wordOfError = 40
    /// Characters of a result sentence that are read.
    static let sentence = 300

    // MARK: Aliases

    /// Aliases of a table, at some 200 bytes each; further ones are not taken.
    public static let aliases = 200_000
}
