// A provider's feed for everybody without a key: serves a match so far, and lets it advance with time.

import Foundation
public import ScoreTypes
import Synchronization

/// Plays one match as a feed; the HTTP side is `FeedServer`.
public final class FeedSimulator: Sendable {
    /// The match that it plays.
    public let match: MatchID
    private let replies: FeedReplies
    private let timeline: FeedTimeline
    private let clock: ServiceClock
    private let state = Mutex(State())

    private struct State {
        /// Domain time at which the feed was opened; nil before.
        var openedAt: Duration?
        /// Real start of play in seconds since 1970, as the feed says it; nil while it is not fixed.
        var startsAt: Int64?
        var cached: FeedReply?
        /// When each delivery was first in a reply, on the real monotonic clock, in the order of the match.
        var firstServed: [Duration] = []
    }

    /// Prepares a match.
    ///
    /// - Throws: `FeedMatchError` when the document cannot be played.
    public init(
        match: MatchID,
        played: PlayedMatch,
        pace: FeedPace = FeedPace(),
        clock: ServiceClock
    ) throws(FeedMatchError) {
        self.match = match
        self.clock = clock
        replies = try FeedReplies(played)
        timeline = FeedTimeline(
            ballsOfInnings: replies.ballsOfInnings,
            superOvers: replies.superOvers,
            match: played,
            pace: pace
        )
    }

    /// Deliveries in the whole match.
    public var ballCount: Int { replies.ballsOfInnings.reduce(0, +) }

    /// Lets time pass in the feed from now on; opening it twice changes nothing.
    public func open() {
        state.withLock { state in
            guard state.openedAt == nil else { return }
            state.openedAt = clock.domain
            state.startsAt = (clock.wall + clock.real(timeline.startsAt)).seconds
        }
    }

    /// Whether the outcome has been served.
    public var isFinished: Bool { frame(now: state.withLock { $0.openedAt }).frame.isFinished }

    /// When each ball was first served, on the real monotonic clock, in the order of the match.
    public var firstServed: [Duration] { state.withLock { $0.firstServed } }

    /// The list of fixtures: this match, with its start, once that is fixed, and its state.
    public func fixtures() -> [UInt8] {
        let (openedAt, startsAt) = state.withLock { ($0.openedAt, $0.startsAt) }
        return JSONWriter.document { json in
            json.key("matches")
            json.array { list in
                list.object { entry in
                    entry.field("id", match.text)
                    if let startsAt { entry.field("startsAt", startsAt) }
                    entry.field("state", frame(now: openedAt).frame.status)
                }
            }
        }
    }

    /// The match so far.
    public func reply() -> FeedReply {
        state.withLock { state in
            let (version, frame) = frame(now: state.openedAt)
            if state.firstServed.count < frame.balls {
                let missing = frame.balls - state.firstServed.count
                state.firstServed += Array(repeating: clock.monotonic, count: missing)
            }
            if let cached = state.cached, cached.version == version { return cached }
            let body = replies.reply(frame, version: version, startsAt: state.startsAt)
            let reply = FeedReply(version: version, body: body)
            state.cached = reply
            return reply
        }
    }

    /// The present version; 0 stands for the time before the feed was opened.
    private func frame(now openedAt: Duration?) -> (version: Int, frame: FeedFrame) {
        guard let openedAt else { return (0, timeline.frames[0]) }
        let index = timeline.index(at: clock.domain - openedAt)
        return (index + 1, timeline.frames[index])
    }
}

/// One reply of the feed.
public struct FeedReply: Sendable {
    /// Grows with each change; also its ETag.
    public let version: Int
    /// The Cricsheet document so far.
    public let body: [UInt8]
}
