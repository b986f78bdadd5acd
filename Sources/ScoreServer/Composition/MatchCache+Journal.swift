// The cache of matches loads missing ones from the journal.

import MatchJournal

extension MatchCache {
    /// A cache over a journal whose connections readers may use up.
    convenience init(over journal: Journal, _ publications: PublicationCache) {
        let history = MatchHistory { match, revision in
            try await publications.read(match, at: revision, from: journal)
        } follow: { history, end in
            try await history.follow(journal, through: end)
        }
        let load: Load = { match in
            guard let publication = try await publications.read(match, from: journal),
                let head = try await journal.head(of: match)
            else { return nil }
            if let time = head.removedAt { throw ServiceProblem.removed(match, at: time) }
            var news = MatchNews(publication: publication)
            news.update(from: head)
            return MatchView(news)
        }
        self.init(
            load: load,
            changes: { try await journal.changes(of: $0, after: $1, limit: $2) },
            history: history
        )
    }
}
