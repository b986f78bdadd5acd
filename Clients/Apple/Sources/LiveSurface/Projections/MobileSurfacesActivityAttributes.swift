// The attributes of an activity that is drawn from the portable contract and not from our own content state.
#if canImport(ActivityKit) && os(iOS)
    public import ActivityKit

    @available(iOS 16.1, *)
    extension MobileSurfacesActivityAttributes: ActivityAttributes {}
#endif

/// What such an activity is started with; the type's name is the contract's.
public struct MobileSurfacesActivityAttributes: Codable, Hashable, Sendable {
    /// The surface that it draws.
    public var surfaceId: String
    /// The short word of the Dynamic Island at the start.
    public var modeLabel: String

    /// Makes attributes from their parts.
    public init(surfaceId: String, modeLabel: String) {
        self.surfaceId = surfaceId
        self.modeLabel = modeLabel
    }

    /// What a push changes: four values and nothing else.
    ///
    /// Unknown keys are ignored here, unlike in a snapshot: a phone that refuses a content state shows an old one.
    public struct ContentState: Codable, Hashable, Sendable {
        /// The snapshot's title.
        public var headline: String
        /// The snapshot's body.
        public var subhead: String
        /// How much is done, 0 to 1.
        public var progress: Double
        /// How far it has come.
        public var stage: SurfaceSnapshot.Stage

        /// Makes a content state from its parts.
        public init(headline: String, subhead: String, progress: Double, stage: SurfaceSnapshot.Stage) {
            self.headline = headline
            self.subhead = subhead
            self.progress = progress
            self.stage = stage
        }
    }
}
