// One list of all shapes, so that a command, a server and the tests know the same providers.

public import ScoreTypes

/// The shapes in which a match can be served.
public enum FeedShapes {
    /// The project that clients of a provider with projects have to name.
    public static let project = "demo"

    /// One of each provider; `key` is the required credential, where the provider has one.
    ///
    /// - Parameter key: The key or token; nil lets everybody in.
    /// - Returns: The shapes, in the order in which providers are listed.
    public static func all(key: String? = nil) -> [any FeedShape] {
        [
            shape(of: .sportmonks, key: key), shape(of: .roanuz, key: key), shape(of: .entitySport, key: key),
            shape(of: .cricketData, key: key), shape(of: .cricsheet, key: key),
        ]
    }

    /// The shape of a provider.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - key: The key or token; nil lets everybody in.
    /// - Returns: The shape.
    public static func shape(of provider: Provider, key: String? = nil) -> any FeedShape {
        switch provider {
        case .sportmonks: SportmonksShape(token: key)
        case .roanuz: RoanuzShape(project: project, key: key)
        case .entitySport: EntitySportShape(token: key)
        case .cricketData: CricketDataShape(key: key)
        case .cricsheet: CricsheetShape()
        }
    }
}
