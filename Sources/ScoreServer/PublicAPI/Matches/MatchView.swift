// One match at one revision, encoded once and shared by snapshot, list and stream.

import MatchEngine
import NIOCore
import ScoreTypes

/// A match at a revision, before it is encoded.
struct MatchNews: Sendable {
    let match: MatchID
    let revision: Revision
    let state: MatchState
    let info: MatchInfo
    /// The exact bytes of the content state.
    let contentState: [UInt8]
    /// The cause of the revision, such as `ball`, `correction` or `status`.
    var cause = "ball"
    /// Whether it carries an alert.
    var isUrgent = false
    /// Whether it is the last revision.
    var isFinal = false
    /// The operator's hold on publishing; nil without one.
    var hold: MatchHold?
    /// Time since which no feed reports the match although it is in play; nil while one does.
    var staleSince: Instant?
    let feed: FeedID
    /// Time at which the feed's reply had been read.
    let observedAt: Instant
    /// Time of the commit to the journal.
    let publishedAt: Instant

    /// Whether an operator holds publishing.
    var isHeld: Bool { hold != nil }
}

/// An operator's hold: nothing of the match is published.
struct MatchHold: Sendable, Hashable {
    let reason: String
    let since: Instant
}

/// The newest published state of a match, ready to be sent.
struct MatchView: Sendable {
    /// The content.
    let news: MatchNews
    /// Body of `GET /v1/matches/{id}`.
    let body: ByteBuffer
    /// Its element in the body of `GET /v1/matches`.
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

    /// The strong tag; a hold and a stale feed change the representation of a revision.
    var tag: String { "\"\(revision)\(news.isHeld ? ".held" : "")\(news.staleSince == nil ? "" : ".stale")\"" }

    /// The cache lifetimes of the snapshot.
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
