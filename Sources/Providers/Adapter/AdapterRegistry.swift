// Configuration names a provider; this table finds the adapter that reads its replies.

public import ScoreTypes

/// The adapter of each provider.
public enum AdapterRegistry {
    /// The adapter of a provider.
    public static func adapter(for provider: Provider) -> any Adapter {
        switch provider {
        case .cricsheet: CricsheetAdapter()
        case .sportmonks: SportmonksAdapter()
        case .roanuz: RoanuzAdapter()
        case .entitySport: EntitySportAdapter()
        case .cricketData: CricketDataAdapter()
        }
    }

    /// The reader of a provider's webhook bodies; nil for a provider without webhooks.
    public static func push(of provider: Provider) -> (@Sendable ([UInt8]) throws(AdapterError) -> ProviderPush)? {
        switch provider {
        case .roanuz: { (body) throws(AdapterError) in try RoanuzPush.read(body) }
        case .sportmonks, .entitySport, .cricketData, .cricsheet: nil
        }
    }
}
