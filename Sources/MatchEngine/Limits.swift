// Every bound of this target in one place: value, unit, reason, and what happens when it is reached.

/// The bounds of the numbers and texts that a feed may state, and of what is rendered from them.
public enum EngineLimits {
    // MARK: Numbers of feeds

    /// Runs of one part of one ball; larger numbers count as this.
    ///
    /// The record of a whole ball is 13.
    static let runsOfBallPart = 1_000
    /// Over number of a ball; larger numbers count as this.
    static let overNumber = 100_000
    /// Legal balls of an innings; a larger limit counts as none.
    static let ballsOfInnings = 100_000
    /// Runs of an innings that a feed without balls states; larger totals count as this.
    ///
    /// The record is 1,107.
    static let reportedRuns = 99_999
    /// Powerplays of an innings that are read; further ones are ignored.
    static let powerplays = 8

    // MARK: History of a match

    /// Resumptions kept, more than the long stoppages of any match of five days; the oldest is dropped.
    static let resumptions = 16
    /// Status changes kept, for five days with a dozen intervals each and a feed that alternates; the oldest is
    /// dropped.
    static let statusTransitions = 128
    /// Reductions of the ball limit kept; officials reduce a match a few times.
    ///
    /// The oldest is dropped.
    static let ballLimitReductions = 16
    /// Shortest stoppage in seconds whose end is announced (PUBLICATION section 2).
    static let announcedStoppageSeconds: Int64 = 3600

    /// Seconds from the first ball of a match to its last; ball times that are further apart give no day.
    static let matchSeconds: Int64 = 20 * 86_400

    // MARK: Content state, in bytes and characters

    /// Bytes of a content state: APNs accepts 4,096 with attributes and envelope (DESIGN section 7).
    ///
    /// A larger state is shortened in the order of PUBLICATION section 1.
    public static let contentStateBytes = 3_500
    /// Bytes of the attributes: what a start has left beside the largest content state; names are shortened.
    public static let attributesBytes = 400
    /// Upper bound in bytes of what a content state takes beside its texts: braces, keys, numbers, ten balls, two
    /// batters.
    static let contentStateFrameBytes = 1_200
    /// Bytes of JSON for one byte of text, reached when the byte is escaped.
    static let escapedByteBytes = 6

    /// Characters of texts in a content state, set by the layouts of the phones (PUBLICATION section 1); longer texts
    /// are cut.
    enum Text {
        /// The sentence of the expanded presentation.
        static let line = 48
        /// The sentence of the Lock Screen.
        static let lockLine = 96
        /// The line below it.
        static let sub = 64
        /// The line of the small presentation.
        static let smallLine = 24
        /// The score of one side in the small presentation.
        static let smallRow = 28
        /// The scores of all innings of a side.
        static let score = 24
        /// The minimal presentation.
        static let minimal = 7
        /// The name of a player.
        static let name = 24
        /// Figures of a bowler, and overs.
        static let figures = 12
        /// The text of a moment.
        static let event = 120
        /// The trailing part of the compact presentation.
        static let trailing = 12
        /// The flash, and the method of a revised target.
        static let flash = 8
        /// The name of a side in the text of a moment.
        static let teamName = 40
        /// The method of a revised target in a result.
        static let method = 12
        /// The part of a feed's note in which a day is looked for.
        static let dayNote = 64
        /// The app's URL scheme.
        static let scheme = 24
    }

    /// Characters of an alert: what a Lock Screen shows without being opened; longer texts are cut.
    enum Alert {
        /// The title.
        static let title = 48
        /// The body.
        static let body = 120
    }

    /// Characters of texts in a portable snapshot, which stays far below 4,096 bytes with four bytes each; longer texts
    /// are cut.
    enum Surface {
        /// The title.
        static let title = 48
        /// The line below it.
        static let body = 120
        /// The text on a control.
        static let label = 32
    }
}
