// The one place where a provider's word becomes the adapter that reads its replies.

import ScoreIngest

/// Finds adapters.
enum FeedAdapters {
    /// The adapter of a provider; nil when this program has none.
    static func adapter(for provider: Provider) -> (any Adapter)? {
        switch provider {
        case .cricsheet: CricsheetAdapter()
        case .sportmonks, .roanuz, .entitySport, .cricketData: nil
        }
    }
}
