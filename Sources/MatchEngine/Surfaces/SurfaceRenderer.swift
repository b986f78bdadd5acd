// Draws a match on every surface of the portable contract; pure, the same answer for the same match.

public import LiveSurface
public import ScoreTypes

/// What a drawing needs beside the match itself.
public struct SurfaceContext: Sendable, Hashable {
    /// The match's id in the API.
    public let match: MatchID
    /// `rev`.
    public let revision: Int64
    /// When the revision was committed.
    public let updatedAt: Instant
    /// The app's URL scheme, from configuration; lower case, or no snapshot can be made.
    public let scheme: String
    /// The moment that this state tells, nil for an ordinary ball.
    public let event: Moment?
    /// Whether the provider has been silent for too long.
    public let isStale: Bool
    /// Whether the person is in his or her quiet hours.
    public let isQuiet: Bool

    /// Gathers what a drawing needs.
    public init(
        match: MatchID,
        revision: Int64,
        updatedAt: Instant,
        scheme: String,
        event: Moment? = nil,
        isStale: Bool = false,
        isQuiet: Bool = false
    ) {
        self.match = match
        self.revision = revision
        self.updatedAt = updatedAt
        self.scheme = scheme
        self.event = event
        self.isStale = isStale
        self.isQuiet = isQuiet
    }
}

/// Renders snapshots of the portable contract.
public enum SurfaceRenderer {
    /// The type that an app registers to be sent the contract's content state.
    public static let attributesType = "MobileSurfacesActivityAttributes"

    /// The snapshot of a match on one kind of surface.
    ///
    /// - Throws: `SurfaceError` when the scheme is not one; nothing else can break the contract.
    public static func snapshot(
        _ kind: SurfaceSnapshot.Kind,
        of state: MatchState,
        info: MatchInfo,
        in context: SurfaceContext
    ) throws(SurfaceError) -> SurfaceSnapshot {
        let drawing = SurfaceDrawing(state: state, info: info, context: context)
        let surface = "match-\(context.match.text)"
        // A quiet hour makes another state of the same revision, so it has another identity.
        let id = "\(surface)@\(max(0, context.revision))\(context.isQuiet ? "+quiet" : "")"
        return try SurfaceSnapshot(
            id: id,
            surfaceId: surface,
            updatedAt: SurfaceTime(secondsSince1970: context.updatedAt.seconds),
            state: drawing.surfaceState,
            slice: drawing.slice(kind)
        )
    }

    /// The content state of `MobileSurfacesActivityAttributes`.
    ///
    /// - Throws: `SurfaceError` when the scheme is not one.
    public static func contentState(
        of state: MatchState,
        info: MatchInfo,
        in context: SurfaceContext
    ) throws(SurfaceError) -> MobileSurfacesActivityAttributes.ContentState {
        try snapshot(.liveActivity, of: state, info: info, in: context).contentState()
    }
}
