// Publications become what readers see: the shelf of snapshots and the frames of the stream.

import MatchEngine
import MatchJournal
import ScoreTypes

extension MatchNews {
    /// What readers are told of a publication.
    init(_ publication: Publication, feed: FeedID) {
        self.init(
            match: publication.match,
            revision: publication.revision,
            state: publication.state,
            info: publication.info,
            contentState: publication.contentState,
            cause: publication.cause.rawValue,
            isUrgent: publication.alert != nil,
            isFinal: publication.isFinal,
            feed: feed,
            observedAt: publication.seenAt,
            publishedAt: publication.committedAt
        )
    }

    /// Takes over what stands beside the content: that an operator holds the match, that nobody reports it.
    mutating func stand(as head: JournalHead) {
        hold = head.heldReason.map { MatchHold(reason: $0, since: head.heldSince ?? head.readAt) }
        staleSince = head.silentSince
    }
}

extension MatchCache {
    /// A shelf that falls back on the journal, over connections that readers may use up.
    static func over(_ journal: Journal, publisher: @escaping @Sendable () -> Publisher?) -> MatchCache {
        MatchCache { match in
            guard let publisher = publisher(), let publication = try await publisher.recall(match, from: journal),
                let head = try await journal.head(of: match)
            else { return nil }
            if head.isRemoved { throw ServiceProblem(.matchRemoved) }
            var news = MatchNews(publication, feed: head.feed)
            news.stand(as: head)
            return MatchView(news)
        } changes: { match, number, limit in
            try await journal.entries(of: match, after: number, limit: limit).map { entry in
                MatchChange(number: entry.revision, at: entry.at, change: entry.change)
            }
        }
    }
}
