// The slice of a Live Activity: what Lock Screen and Dynamic Island draw.

extension SurfaceSnapshot {
    /// What a Live Activity shows.
    public struct LiveActivity: Codable, Hashable, Sendable {
        /// The headline.
        public let title: String
        /// The line below it; may be empty.
        public let body: String
        /// How much is done, 0 to 1.
        public let progress: Double
        /// What a tap opens.
        public let deepLink: String
        /// The short word of the Dynamic Island.
        public let modeLabel: String
        /// What it belongs to.
        public let contextLabel: String?
        /// The whole in one line, also for reading aloud.
        public let statusLine: String?
        /// The word on its button.
        public let actionLabel: String?
        /// How far it has come.
        public let stage: Stage
        /// Seconds of the subject still to come, as far as anybody can tell.
        public let estimatedSeconds: Int?
        /// How many more parts wait behind this one.
        public let morePartsCount: Int?

        /// Makes a slice; throws where a value breaks its rule.
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
            try SurfaceRule.filledIfPresent(actionLabel, "actionLabel")
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

        /// Decodes strictly; every failure is a `SurfaceError`.
        public init(from decoder: any Decoder) throws {
            let object = try StrictObject(
                decoder,
                known: [
                    "title", "body", "progress", "deepLink", "modeLabel", "contextLabel", "statusLine",
                    "actionLabel", "stage", "estimatedSeconds", "morePartsCount",
                ]
            )
            try self.init(
                title: object.required("title", as: "a text"),
                body: object.required("body", as: "a text"),
                progress: object.required("progress", as: "a number from 0 to 1"),
                deepLink: object.required("deepLink", as: "a link with a lower-case scheme and ://"),
                modeLabel: object.required("modeLabel", as: "a text"),
                contextLabel: object.optional("contextLabel", as: "a text"),
                statusLine: object.optional("statusLine", as: "a text"),
                actionLabel: object.optional("actionLabel", as: "a text"),
                stage: object.word("stage"),
                estimatedSeconds: object.optional("estimatedSeconds", as: "a whole number"),
                morePartsCount: object.optional("morePartsCount", as: "a whole number")
            )
        }
    }
}
