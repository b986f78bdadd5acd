// Every bound of this target in one place: value, unit, reason, and what happens when it is reached.

/// The bounds of the follow store.
public enum FollowLimits {
    // MARK: Batches

    /// Rows in one statement; the next batch takes the rest.
    ///
    /// From 500 to 2,000 a row gets a fifth cheaper, since a statement opens four partitions.
    public static let rowsPerBatch = 2_000
    /// Time for which the first call of a batch waits for others; small beside the fsync that they share.
    public static let gatherTime = Duration.milliseconds(10)
    /// Calls that wait for one writer, about a quarter of a second's work; more are refused as busy.
    public static let waitingCalls = 20_000
    /// Writers for one kind of call; two saturate a server of two cores, and more were measured to add nothing.
    static let batchWriters = 2

    // MARK: Rejected tokens and ends

    /// Rows in one statement that ends activities or clears tokens: 12 ms, so that readers of changes do not wait long.
    static let rowsPerStatement = 1_000
    /// Rejected tokens that wait to be ended in PostgreSQL, a tenth of the audience of a final.
    ///
    /// A further one stays in the table, and APNs rejects it again after the next restart.
    static let evictionsWaiting = 100_000

    // MARK: Follows and activities

    /// Matches that are not over and that one device may follow: more than anybody watches, few enough for one reply.
    ///
    /// A further follow is refused. Follows of finished matches do not count; they are dropped two days later.
    public static let followsPerDevice = 50
    /// Age that a phone's clock may give an activity; ActivityKit removes it after twelve hours.
    ///
    /// An earlier start is moved to this edge.
    static let activityAge = Duration.seconds(12 * 3600)
    /// Matches that have not begun and that phones show, in one reply: a day of all the world's cricket.
    ///
    /// Further ones are left out.
    static let matchesShownEarly: Int64 = 1_000
    /// Time for which a change waits for registrations that began before its commit.
    ///
    /// Then the call fails as unavailable.
    /// A registration whose node was stopped ends long before, by the bounds of its connection.
    static let registrationWait = Duration.seconds(5)
}
