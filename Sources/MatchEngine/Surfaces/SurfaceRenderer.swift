// Renders a match as snapshots of the portable contract; a pure function of its arguments.

public import LiveSurface
public import ScoreTypes

/// The inputs of a rendering beside the match.
public struct SurfaceContext: Sendable, Hashable {
    /// The id of the match in the API.
    public let match: MatchID
    /// The revision of the match, `rev`.
    public let revision: Int64
    /// When the revision was committed.
    public let updatedAt: Instant
    /// The app's URL scheme, from configuration; it has to be lower case.
    public let scheme: String
    /// The moment that this state announces; nil for an ordinary ball.
    public let event: Moment?
    /// Whether it is rendered for a person in quiet hours.
    public let isQuiet: Bool

    /// Makes a context.
    public init(
        match: MatchID,
        revision: Int64,
        updatedAt: Instant,
        scheme: String,
        event: Moment? = nil,
        isQuiet: Bool = false
    ) {
        self.match = match
        self.revision = revision
        self.updatedAt = updatedAt
        self.scheme = scheme
        self.event = event
        self.isQuiet = isQuiet
    }
}

/// Renders snapshots of the portable contract.
public enum SurfaceRenderer {
    /// The name of the attributes type that an app registers for the contract's content state.
    public static let attributesType = "MobileSurfacesActivityAttributes"

    /// Renders the snapshot of a match for one surface.
    ///
    /// - Parameters:
    ///   - form: The kind of surface with its size, shape, action or colours.
    ///   - state: The folded match.
    ///   - info: The facts of the match.
    ///   - context: The revision and its circumstances.
    /// - Returns: The snapshot.
    /// - Throws: `SurfaceError` when `context.scheme` is no URL scheme; no other input violates the contract.
    public static func snapshot(
        _ form: SurfaceForm,
        of state: MatchState,
        info: MatchInfo,
        in context: SurfaceContext
    ) throws(SurfaceError) -> SurfaceSnapshot {
        try snapshot(form, SurfaceDrawing(state: state, info: info, context: context))
    }

    /// Renders the notification of a match: the payload of its snapshot.
    ///
    /// - Parameters:
    ///   - state: The folded match.
    ///   - info: The facts of the match.
    ///   - context: The revision and its circumstances.
    ///   - category: A category that the app registers itself; nil for that of the contract.
    ///   - hasKeys: Whether the texts are keys of the app's table instead of the texts of the snapshot.
    /// - Returns: The payload.
    /// - Throws: `SurfaceError` when `context.scheme` is no URL scheme; no other input violates the contract.
    public static func notification(
        of state: MatchState,
        info: MatchInfo,
        in context: SurfaceContext,
        category: String? = nil,
        hasKeys: Bool = false
    ) throws(SurfaceError) -> NotificationPayload {
        let drawing = SurfaceDrawing(state: state, info: info, context: context)
        return try snapshot(.notification, drawing)
            .notificationPayload(category: category, alert: hasKeys ? drawing.keyedAlert : nil)
    }

    private static func snapshot(
        _ form: SurfaceForm,
        _ drawing: SurfaceDrawing
    ) throws(SurfaceError) -> SurfaceSnapshot {
        let context = drawing.context
        let surface = "match-\(context.match.text)"
        // Quiet hours and forms give other snapshots of the same revision, each with an id of its own.
        let marks = [form.variant, context.isQuiet ? "quiet" : nil].compactMap { $0.map { "+\($0)" } }.joined()
        let id = "\(surface)@\(max(0, context.revision))\(marks)"
        return try SurfaceSnapshot(
            id: id,
            surfaceId: surface,
            updatedAt: SurfaceTime(secondsSince1970: context.updatedAt.seconds),
            state: drawing.surfaceState,
            slice: drawing.slice(form)
        )
    }
}
