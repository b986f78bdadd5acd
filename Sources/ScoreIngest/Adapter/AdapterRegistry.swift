// The only table from a provider to the adapter that reads its replies; a new provider needs a row here.

/// Adapters by provider.
public enum AdapterRegistry {
    /// The adapter of a provider.
    ///
    /// - Parameter provider: Any provider that the settings can name.
    /// - Returns: A new adapter; adapters hold no state.
    public static func adapter(for provider: Provider) -> any Adapter {
        switch provider {
        case .cricsheet: CricsheetAdapter()
        case .sportmonks: SportmonksAdapter()
        case .roanuz: RoanuzAdapter()
        case .entitySport: EntitySportAdapter()
        case .cricketData: CricketDataAdapter()
        }
    }

    /// The function that decodes the webhook requests of a provider.
    ///
    /// - Parameter provider: Any provider.
    /// - Returns: Takes the body of a request and throws `AdapterError` for one that cannot be decoded; nil for a
    ///   provider without webhooks.
    public static func webhookReader(
        of provider: Provider
    ) -> (@Sendable ([UInt8]) throws(AdapterError) -> ProviderPush)? {
        switch provider {
        case .roanuz: { (body) throws(AdapterError) in try RoanuzPush.read(body) }
        case .sportmonks, .entitySport, .cricketData, .cricsheet: nil
        }
    }
}
