// The attributes of an activity that is drawn from the portable contract instead of the content state of this package.
#if canImport(ActivityKit) && os(iOS)
    public import ActivityKit

    @available(iOS 16.1, *)
    extension MobileSurfacesActivityAttributes: ActivityAttributes {}
#endif

/// The static part of such an activity; the name of the type is the contract's.
public struct MobileSurfacesActivityAttributes: Codable, Hashable, Sendable {
    /// The id of the surface that it draws.
    public var surfaceId: String
    /// The short text of the Dynamic Island at the start.
    public var modeLabel: String

    /// Makes attributes from their parts.
    public init(surfaceId: String, modeLabel: String) {
        self.surfaceId = surfaceId
        self.modeLabel = modeLabel
    }

    /// The dynamic part: four values.
    ///
    /// Unknown keys are ignored here, unlike in a snapshot: a phone that refused a content state would show an old one.
    public struct ContentState: Codable, Hashable, Sendable {
        /// The snapshot's title.
        public var headline: String
        /// The snapshot's body.
        public var subhead: String
        /// The completed share, 0 to 1.
        public var progress: Double
        /// The stage of the activity.
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
