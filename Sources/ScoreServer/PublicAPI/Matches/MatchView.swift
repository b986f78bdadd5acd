// One match at one revision, encoded once and shared by snapshot, list and stream.

import HTTPTypes
import MatchEngine
import MatchJournal
import NIOCore
import ScoreTypes

/// A publication with what readers see beside its content.
struct MatchNews: Sendable {
    let publication: Publication
    /// The operator's hold on publishing; nil without one.
    var hold: MatchHold?
    /// Time since which no feed reports the match although it is in play; nil while one does.
    var staleSince: Instant?

    /// Whether an operator holds publishing.
    var isHeld: Bool { hold != nil }

    /// Takes over the hold and the silence of the match.
    mutating func update(from head: JournalHead) {
        hold = head.heldReason.map { MatchHold(reason: $0, since: head.heldSince ?? head.readAt) }
        staleSince = head.silentSince
    }
}

/// An operator's hold: nothing of the match is published.
struct MatchHold: Sendable, Hashable {
    let reason: String
    let since: Instant
}

/// The newest published state of a match, ready to be sent; an object, so that a read copies one reference.
final class MatchView: Sendable {
    /// The content.
    let news: MatchNews
    /// The answer of `GET /v1/matches/{id}`.
    let answer: StoredAnswer
    private let compactAnswer = LazyValue<StoredAnswer>()
    private let scorecardAnswer = LazyValue<StoredAnswer>()
    /// The answers of `GET /v1/matches/{id}/surfaces/{kind}`.
    let surfaces = RenderedSurfaces()
    /// Its element in the body of `GET /v1/matches`.
    let item: [UInt8]

    /// Encodes the news.
    init(_ news: MatchNews) {
        self.news = news
        answer = Self.stored(news, tag: Self.tag(of: news), MatchDocument.snapshot(of: news))
        item = MatchDocument.item(of: news.publication)
    }

    var publication: Publication { news.publication }
    var match: MatchID { publication.match }
    var revision: Revision { publication.revision }
    var info: MatchInfo { publication.info }
    var phase: MatchPhase { publication.phase }

    /// The strong tag.
    var tag: String { answer.tag }

    /// The answer in a form; rendered once.
    func answer(_ form: MatchDocument.Form) -> StoredAnswer {
        guard form == .compact else { return answer }
        return compactAnswer.value {
            Self.stored(news, tag: Self.tag(of: news, ".compact"), MatchDocument.snapshot(of: news, .compact))
        }
    }

    /// The answer of `GET /v1/matches/{id}/scorecard`; rendered once.
    var scorecard: StoredAnswer {
        scorecardAnswer.value {
            Self.stored(news, tag: "\"\(revision).scorecard\"", ScorecardDocument(publication: publication).bytes)
        }
    }

    private static func stored(_ news: MatchNews, tag: String, _ body: [UInt8]) -> StoredAnswer {
        let key = "match/\(news.publication.match)"
        return StoredAnswer(tag: tag, headers: [.surrogateKey: key], body: ByteBuffer(bytes: body))
    }

    /// The tag of news; a hold and a stale feed change the representation of a revision.
    private static func tag(of news: MatchNews, _ form: String = "") -> String {
        let state = (news.isHeld ? ".held" : "") + (news.staleSince == nil ? "" : ".stale")
        return "\"\(news.publication.revision)\(form)\(state)\""
    }

    /// The cache lifetimes of the snapshot.
    func cacheControl(now: Instant) -> String {
        switch phase {
        case .live: "public, max-age=1, s-maxage=1, stale-while-revalidate=2, stale-if-error=120"
        case .onBreak: "public, max-age=15, s-maxage=15, stale-while-revalidate=15, stale-if-error=120"
        case .scheduled: "public, max-age=60, s-maxage=60, stale-if-error=600"
        case .over:
            now - publication.committedAt > .seconds(3600)
                ? "public, max-age=300, s-maxage=86400, stale-if-error=86400"
                : "public, max-age=15, s-maxage=15, stale-if-error=3600"
        }
    }
}
