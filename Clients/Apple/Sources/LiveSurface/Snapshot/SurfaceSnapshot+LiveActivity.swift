// The slice of a Live Activity, for Lock Screen and Dynamic Island.

extension SurfaceSnapshot {
    /// The content of a Live Activity.
    public struct LiveActivity: Codable, Hashable, Sendable {
        /// The title.
        public let title: String
        /// The line below it; may be empty.
        public let body: String
        /// The completed share, 0 to 1.
        public let progress: Double
        /// The URL that a tap opens.
        public let deepLink: String
        /// The short text of the Dynamic Island.
        public let modeLabel: String
        /// The context of the activity, such as a competition; nil for none.
        public let contextLabel: String?
        /// A summary in one line, also for VoiceOver.
        public let statusLine: String?
        /// The text of its button; nil without a button.
        public let actionLabel: String?
        /// The stage of the activity.
        public let stage: Stage
        /// Seconds until the subject ends, estimated; nil when unknown.
        public let estimatedSeconds: Int?
        /// Number of further parts after this one.
        public let morePartsCount: Int?

        /// Makes a slice.
        ///
        /// - Throws: `SurfaceError` when a value violates its rule.
        public init(
            title: String,
            body: String,
            progress: Double,
            deepLink: String,
            modeLabel: String,
            contextLabel: String? = nil,
            statusLine: String? = nil,
            actionLabel: String? = nil,
            stage: Stage,
            estimatedSeconds: Int? = nil,
            morePartsCount: Int? = nil
        ) throws(SurfaceError) {
            try SurfaceRule.filled(title, "title")
            try SurfaceRule.share(progress, "progress")
            try SurfaceRule.link(deepLink, "deepLink")
            try SurfaceRule.filled(modeLabel, "modeLabel")
            try SurfaceRule.filled(actionLabel, "actionLabel")
            try SurfaceRule.count(estimatedSeconds, "estimatedSeconds")
            try SurfaceRule.count(morePartsCount, "morePartsCount")
            self.title = title
            self.body = body
            self.progress = progress
            self.deepLink = deepLink
            self.modeLabel = modeLabel
            self.contextLabel = contextLabel
            self.statusLine = statusLine
            self.actionLabel = actionLabel
            self.stage = stage
            self.estimatedSeconds = estimatedSeconds
            self.morePartsCount = morePartsCount
        }

        /// Decodes strictly.
        ///
        /// - Throws: `SurfaceError`.
        public init(from decoder: any Decoder) throws {
            let known = [
                "title", "body", "progress", "deepLink", "modeLabel", "contextLabel", "statusLine",
                "actionLabel", "stage", "estimatedSeconds", "morePartsCount",
            ]
            let object = try StrictObject(decoder, known: known)
            try self.init(
                title: object.required("title", as: "a text"),
                body: object.required("body", as: "a text"),
                progress: object.required("progress", as: "a number from 0 to 1"),
                deepLink: object.required("deepLink", as: "a link with a lower-case scheme and ://"),
                modeLabel: object.required("modeLabel", as: "a text"),
                contextLabel: object.optional("contextLabel", as: "a text"),
                statusLine: object.optional("statusLine", as: "a text"),
                actionLabel: object.optional("actionLabel", as: "a text"),
                stage: object.enumeration("stage"),
                estimatedSeconds: object.optional("estimatedSeconds", as: "a whole number"),
                morePartsCount: object.optional("morePartsCount", as: "a whole number")
            )
        }
    }
}
