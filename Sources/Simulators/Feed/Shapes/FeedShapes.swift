// One list of all shapes, so that a command, a server and the tests know the same providers.

public import ScoreTypes

/// The shapes in which a match can be served.
public enum FeedShapes {
    /// The project that clients of a provider with projects have to name.
    public static let project = "demo"

    /// The shape of a provider that requires a key or token; nil accepts all requests.
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
