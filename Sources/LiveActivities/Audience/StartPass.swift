// A match may have millions of followers, so a round continues where the last one stopped, and seldom begins again.

internal import FollowService
internal import ScoreTypes

/// How far the followers of a match were read for starts, first the supporters of a side, then the others.
///
/// ```
/// begun ── the buckets that are due were read ──▶ complete ── few followers, or a rest ──▶ begun
///   ▲                                                │
///   └────────── other buckets, another day ──────────┘
/// ```
///
/// A follower behind the cursor, such as a new one, is read by the next pass.
struct StartPass: Sendable {
    /// The next page to read.
    struct Step: Sendable {
        let scope: StartCandidates.Scope
        let range: ClosedRange<Bucket>
        let after: AudienceCursor
    }

    private var cursors: [StartCandidates.Scope: AudienceCursor] = [:]
    private var buckets: [Bucket] = []
    private var since = Instant(milliseconds: 0)
    /// Monotonic time of its first round.
    private var beganAt = Duration.zero
    private var rows = 0
    private var isComplete = true

    /// Begins a round: with a new pass if it is due, otherwise where the last one stopped.
    ///
    /// - `buckets`: All buckets of this node, in order; `ranges`: those that are due.
    /// - `since`: The end of the previous day's play.
    /// - `rest`: Time between the beginnings of two passes over many followers.
    mutating func begin(
        over buckets: [Bucket],
        in ranges: [ClosedRange<Bucket>],
        since: Instant,
        at now: Duration,
        rest: Duration
    ) {
        // While further buckets become due, it goes on to them first.
        let isRested = next(in: ranges) == nil && now - beganAt >= rest
        let isDue = isComplete && (rows <= LiveActivityLimits.followersReadAlways || isRested)
        if isDue || buckets != self.buckets || since != self.since {
            self = StartPass()
            (self.buckets, self.since, beganAt) = (buckets, since, now)
        }
        isComplete = false
    }

    /// The next page of the buckets that are due; nil when all of them were read.
    func next(in ranges: [ClosedRange<Bucket>]) -> Step? {
        for scope in [StartCandidates.Scope.supporters, .neutrals] {
            let after = cursors[scope] ?? .start
            if let range = ranges.first(where: { after < .end(of: $0.upperBound) }) {
                return Step(scope: scope, range: range, after: after)
            }
        }
        return nil
    }

    /// Notes that a page was read; `next` is nil for the last one of its buckets.
    mutating func read(_ rows: Int, in step: Step, upTo next: AudienceCursor?) {
        self.rows += rows
        cursors[step.scope] = next ?? .end(of: step.range.upperBound)
    }

    /// Notes that all buckets that are due were read.
    mutating func complete() { isComplete = true }
}

/// How far the activities of a match were read for the end of one day of play.
struct DayEndPass: Sendable {
    /// Activities that were registered later belong to the next day.
    private(set) var end = Instant(milliseconds: 0)
    /// The buckets of this node.
    private(set) var buckets: [Bucket] = []
    /// Where the next page begins; nil when all were read.
    var cursor: AudienceCursor? = .start

    /// Begins a round: from the start for another day or other buckets, otherwise where the last one stopped.
    mutating func begin(over buckets: [Bucket], startedBefore end: Instant) {
        guard buckets != self.buckets || end != self.end else { return }
        (self.buckets, self.end, cursor) = (buckets, end, .start)
    }
}
