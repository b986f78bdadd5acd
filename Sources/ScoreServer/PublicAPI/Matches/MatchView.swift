// One match at one revision as every reader gets it: encoded once, shared by snapshot, list and stream.

import MatchEngine
import NIOCore
import ScoreTypes

/// What is known of a match at a revision; the outlets' common source.
struct MatchNews: Sendable {
    let match: MatchID
    let revision: Revision
    let state: MatchState
    let info: MatchInfo
    /// The exact bytes of the content state.
    let contentState: [UInt8]
    /// Why there is a new revision: `ball`, `correction`, `status` and the like.
    var cause = "ball"
    /// Whether it carries an alert.
    var isUrgent = false
    /// Whether nothing comes after it.
    var isFinal = false
    /// Why and since when an operator has frozen publishing; nil while nobody has.
    var hold: MatchHold?
    /// Since when no feed has answered about the match although it is in play.
    var staleSince: Instant?
    let feed: FeedID
    /// When the feed's reply that led here had been read.
    let observedAt: Instant
    /// When the journal had it.
    let publishedAt: Instant

    /// Whether an operator has frozen publishing.
    var isHeld: Bool { hold != nil }
}

/// An operator's order to publish nothing of a match.
struct MatchHold: Sendable, Hashable {
    let reason: String
    let since: Instant
}

/// The newest published state of a match, ready to be sent.
struct MatchView: Sendable {
    /// What it shows.
    let news: MatchNews
    /// Body of `GET /v1/matches/{id}`.
    let body: ByteBuffer
    /// Its place in `GET /v1/matches`.
    let item: [UInt8]

    /// Encodes the news.
    init(_ news: MatchNews) {
        self.news = news
        body = ByteBuffer(bytes: MatchDocument.snapshot(of: news))
        item = MatchDocument.item(of: news)
    }

    var match: MatchID { news.match }
    var revision: Revision { news.revision }
    var info: MatchInfo { news.info }
    var phase: MatchPhase { news.state.phase }

    /// The strong tag; a match that is held, or that nobody reports, is another representation of its revision.
    var tag: String { "\"\(revision)\(news.isHeld ? ".held" : "")\(news.staleSince == nil ? "" : ".stale")\"" }

    /// How long shared and private caches may keep the snapshot (ops 4.4 R2).
    func cacheControl(now: Instant) -> String {
        switch phase {
        case .live: "public, max-age=1, s-maxage=1, stale-while-revalidate=2, stale-if-error=120"
        case .onBreak: "public, max-age=15, s-maxage=15, stale-while-revalidate=15, stale-if-error=120"
        case .scheduled: "public, max-age=60, s-maxage=60, stale-if-error=600"
        case .over:
            now - news.publishedAt > .seconds(3600)
                ? "public, max-age=300, s-maxage=86400, stale-if-error=86400"
                : "public, max-age=15, s-maxage=15, stale-if-error=3600"
        }
    }
}
