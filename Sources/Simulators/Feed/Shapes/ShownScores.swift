// A feed's content grows by a ball at a time; folding the whole match anew for each would be most of the work.

import MatchEngine
internal import Providers
internal import ScoreTypes
import Synchronization

/// Folds the contents of a feed, each from the one before; it holds one content of each match of the feed.
final class ShownScores: Sendable {
    private let scores = ShapeMemo<ShownScore?>()
    /// The last content of each match.
    private let contents = Mutex<[ProviderMatchID: FoldedContent]>([:])

    /// The score of a content; nil when it is no match.
    func score(of match: ShownMatch) -> ShownScore? {
        scores.value(for: match) { match in
            var content = contents.withLock { $0.removeValue(forKey: match.id) } ?? FoldedContent()
            defer { contents.withLock { $0[match.id] = content } }
            return try? ShownScore(match, after: &content)
        }
    }
}
