// A match may have millions of activities, so a sweep reads them in pages, over several calls, and not at each call.

internal import ScoreTypes
internal import Synchronization

/// How much one statement and one call read.
struct SilentBounds: Sendable {
    var rowsPerPage = FollowLimits.silentRowsPerPage
    var pagesPerCall = FollowLimits.silentPagesPerCall
    var endsPerStatement = FollowLimits.rowsPerStatement
}

/// A match with activities in buckets without an accepted push.
struct SilentMatch: Sendable, Hashable {
    let match: MatchID
    /// Whether its phones have received its end, or never will: ``FollowLimits/silentAfterEnd``.
    let endedLongAgo: Bool
    /// Buckets without an accepted push, 1 to 1,024.
    let buckets: Int
}

/// How far the activities of each silent match were read.
///
/// ```
/// (none) ── silent ──▶ being read ── last page ──▶ complete ── rest, or more silent buckets ──▶ being read
/// ```
struct SilentPasses: Sendable {
    private struct Pass {
        /// The activity after which the next page begins; nil when all were read.
        var cursor: AudienceCursor? = .start
        /// Activities that were read.
        var rows = 0
        /// Whether the match had ended long before the pass began: then little is left for another one.
        let isLast: Bool
        /// The silent buckets when the pass began.
        let buckets: Int
        /// When the last page was read.
        var completedAt = Instant(milliseconds: 0)
    }

    private var passes: [MatchID: Pass] = [:]

    /// The incomplete pass that has read least, so that a long one holds up no other: its match, and the activity after
    /// which its next page begins.
    var next: (match: MatchID, after: AudienceCursor)? {
        let unread = passes.filter { $0.value.cursor != nil }
        let first = unread.min { ($0.value.rows, $0.key) < ($1.value.rows, $1.key) }
        guard let first, let after = first.value.cursor else { return nil }
        return (match: first.key, after: after)
    }

    /// Begins the passes that are due over the silent matches, and forgets those over others.
    ///
    /// - `rowsMax`: Activities of a match that may be read in every call; a longer pass rests first.
    mutating func begin(over matches: [SilentMatch], at now: Instant, restingAfter rowsMax: Int) {
        let earlier = passes
        passes = [:]
        for silent in matches {
            let pass = earlier[silent.match].flatMap { pass in
                Self.isOver(pass, silent, at: now, restingAfter: rowsMax) ? nil : pass
            }
            passes[silent.match] = pass ?? Pass(isLast: silent.endedLongAgo, buckets: silent.buckets)
        }
    }

    /// Notes that activities of a match were read up to a cursor; nil for all.
    mutating func read(_ rows: Int, of match: MatchID, upTo cursor: AudienceCursor?, at now: Instant) {
        passes[match]?.rows += rows
        passes[match]?.cursor = cursor
        if cursor == nil { passes[match]?.completedAt = now }
    }

    /// Whether another pass begins after one.
    private static func isOver(
        _ pass: Pass,
        _ silent: SilentMatch,
        at now: Instant,
        restingAfter rowsMax: Int
    ) -> Bool {
        guard pass.cursor == nil else { return false }
        // The buckets of a match become silent within some seconds, and a sweep may fall between them.
        if silent.buckets > pass.buckets { return true }
        // A phone that was off may register its activity long after the end.
        if pass.isLast { return now - pass.completedAt >= FollowLimits.silentLateRest }
        return pass.rows < rowsMax || now - pass.completedAt >= FollowLimits.silentPassRest
    }
}

/// The passes of a node between two calls.
final class KeptPasses: Sendable {
    private let state = Mutex((passes: SilentPasses(), finished: Set<ChannelID>()))

    var passes: SilentPasses {
        get { state.withLock { $0.passes } }
        set { state.withLock { $0.passes = newValue } }
    }

    /// The retired channels whose late activities this node has ended.
    var finished: Set<ChannelID> {
        get { state.withLock { $0.finished } }
        set { state.withLock { $0.finished = newValue } }
    }
}
