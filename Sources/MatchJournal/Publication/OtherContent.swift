// Apps may register another content state than the standard layout.

internal import LiveSurface
public import MatchEngine
internal import ScoreTypes

/// A publication in the other layouts that apps decode (PUBLICATION section 1).
public struct OtherContent: Sendable, Hashable {
    /// The newest layout that this node renders.
    public let version: ContentStateVersion
    /// The JSON of the product's own content state in that layout, at most 3,500 bytes.
    public let newestLayout: [UInt8]
    /// The portable contract's; nil when the links have no scheme, which the configuration does not allow.
    public let portable: Portable?

    /// The portable contract's activity (`MobileSurfacesActivityAttributes`).
    public struct Portable: Sendable, Hashable {
        let content: MobileSurfacesActivityAttributes.ContentState
        /// The JSON of the attributes, for starts.
        public let attributes: [UInt8]
        /// The JSON of the content state.
        public var contentState: [UInt8] { SurfaceRenderer.bytes(of: content) }
    }

    /// Renders the other layouts of a match up to `version`; its standard layout is `content`.
    init(
        beside content: LiveActivityAttributes.ContentState,
        of state: MatchState,
        info: MatchInfo,
        in context: SurfaceContext,
        upTo version: ContentStateVersion = .newest
    ) {
        self.version = version
        newestLayout = ContentStateRenderer.bytes(
            of: ContentStateRenderer.laidOut(content, of: state, as: version)
        )
        do throws(SurfaceError) {
            let snapshot = try SurfaceRenderer.snapshot(.liveActivity, of: state, info: info, in: context)
            portable = Portable(
                content: try snapshot.contentState(),
                attributes: SurfaceRenderer.bytes(of: try snapshot.activityAttributes())
            )
        } catch {
            portable = nil
        }
    }
}
