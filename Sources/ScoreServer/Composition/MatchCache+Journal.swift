// The cache of matches loads missing ones from the journal.

import MatchJournal

extension MatchCache {
    /// A cache over a journal whose connections readers may use up.
    convenience init(over journal: Journal, _ publications: PublicationCache) {
        self.init { match in
            guard let publication = try await publications.read(match, from: journal),
                let head = try await journal.head(of: match)
            else { return nil }
            if head.isRemoved { throw ServiceProblem(.matchRemoved) }
            var news = MatchNews(publication: publication, feed: head.feed)
            news.update(from: head)
            return MatchView(news)
        } changes: { match, number, limit in
            try await journal.changes(of: match, after: number, limit: limit)
        }
    }
}
