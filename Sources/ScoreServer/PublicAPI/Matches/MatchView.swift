// One match at one revision as every reader gets it: encoded once, shared by snapshot, list and stream.

import MatchEngine
import NIOCore
import ScoreTypes

/// What a match is doing, in the grain that caches and lists need.
enum MatchPhaseView: String, Sendable, Hashable {
    case upcoming, live, onBreak, finished
}

/// The newest published state of a match, ready to be sent.
struct MatchView: Sendable {
    let match: MatchID
    let revision: Revision
    let phase: MatchPhaseView
    /// Both sides, for lists, filters and team intents.
    let info: MatchInfo
    /// The exact bytes of the content state.
    let contentState: [UInt8]
    /// The result's text once there is one.
    let result: String?
    /// Why there is a new revision: `ball`, `correction`, `status` …
    let cause: String
    /// Whether it carries an alert.
    let isUrgent: Bool
    /// Whether an operator has frozen publishing.
    let isHeld: Bool
    let feed: FeedID
    /// When the feed's reply that led here had been read.
    let observedAt: Instant
    /// When the journal had it.
    let publishedAt: Instant
    /// Body of `GET /v1/matches/{id}`.
    let body: ByteBuffer
    /// Its place in `GET /v1/matches`.
    let item: [UInt8]

    /// The strong tag; a held match is another representation of its revision.
    var tag: String { isHeld ? "\"\(revision).held\"" : "\"\(revision)\"" }

    /// How long shared and private caches may keep the snapshot (ops 4.4 R2).
    func cacheControl(now: Instant) -> String {
        switch phase {
        case .live: "public, max-age=1, s-maxage=1, stale-while-revalidate=2, stale-if-error=120"
        case .onBreak: "public, max-age=15, s-maxage=15, stale-while-revalidate=15, stale-if-error=120"
        case .upcoming: "public, max-age=60, s-maxage=60, stale-if-error=600"
        case .finished:
            now - publishedAt > .seconds(3600)
                ? "public, max-age=300, s-maxage=86400, stale-if-error=86400"
                : "public, max-age=15, s-maxage=15, stale-if-error=3600"
        }
    }

    /// When a polling client should come again, in milliseconds.
    static func nextPoll(_ phase: MatchPhaseView) -> Int {
        switch phase {
        case .live: 2_000
        case .onBreak: 15_000
        case .upcoming: 60_000
        case .finished: 3_600_000
        }
    }
}
