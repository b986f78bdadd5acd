// The one place where a provider's word becomes the adapter that reads its replies.

import ScoreIngest

/// Finds adapters.
enum FeedAdapters {
    /// The adapter of a provider; every provider that settings can name has one.
    static func adapter(for provider: Provider) -> any Adapter {
        switch provider {
        case .cricsheet: CricsheetAdapter()
        case .sportmonks: SportmonksAdapter()
        case .roanuz: RoanuzAdapter()
        case .entitySport: EntitySportAdapter()
        case .cricketData: CricketDataAdapter()
        }
    }

    /// Reads what a provider posts to a webhook; nil for one that posts nothing.
    static func push(of provider: Provider) -> (@Sendable ([UInt8]) throws(AdapterError) -> ProviderPush)? {
        switch provider {
        case .roanuz: { (body) throws(AdapterError) in try RoanuzPush.read(body) }
        case .sportmonks, .entitySport, .cricketData, .cricsheet: nil
        }
    }
}
