// Publications become what readers see: the shelf of snapshots and the frames of the stream.

import MatchEngine
import ScoreIngest
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
}

extension MatchShelf {
    /// A shelf that falls back on the journal, over connections that readers may use up.
    static func over(_ journal: Journal, publisher: @escaping @Sendable () -> Publisher?) -> MatchShelf {
        MatchShelf { match in
            guard let publisher = publisher(), let publication = try await publisher.recall(match, from: journal),
                let head = try await journal.head(of: match)
            else { return nil }
            if head.isRemoved { throw ServiceProblem(.matchRemoved) }
            return MatchView(MatchNews(publication, feed: head.feed))
                .held(head.heldReason != nil).stale(since: head.silentSince)
        } changes: { match, number, limit in
            try await journal.entries(of: match, after: number, limit: limit).map { entry in
                MatchChange(number: entry.revision, at: entry.at, change: entry.change)
            }
        }
    }
}
