// One list of all shapes, so that a command, a server and the tests know the same providers.

public import ScoreIngest

/// The shapes in which a match can be served.
public enum FeedShapes {
    /// One of each provider; `key` is what clients have to show, where the provider asks for any.
    ///
    /// - Parameter key: The key or token; nil lets everybody in.
    /// - Returns: The shapes, in the order in which providers are listed.
    public static func all(key: String? = nil) -> [any FeedShape] {
        [
            SportmonksShape(token: key), EntitySportShape(token: key), CricketDataShape(key: key), CricsheetShape(),
        ]
    }

    /// The shape of a provider; nil for one that has none.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - key: The key or token; nil lets everybody in.
    /// - Returns: The shape.
    public static func shape(of provider: Provider, key: String? = nil) -> (any FeedShape)? {
        all(key: key).first { $0.provider == provider }
    }
}
