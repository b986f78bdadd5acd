// The slice of an ordinary notification.

extension SurfaceSnapshot {
    /// What a notification says.
    public struct Notification: Codable, Hashable, Sendable {
        /// The headline.
        public let title: String
        /// The line below the headline.
        public let subtitle: String?
        /// The words; may be empty.
        public let body: String
        /// What a tap opens.
        public let deepLink: String
        /// The registered category.
        public let category: Category?
        /// What it is grouped by.
        public let threadId: String?
        /// How loudly it comes.
        public let interruptionLevel: InterruptionLevel?
        /// Its place in the summary, 0 to 1.
        public let relevanceScore: Double?
        /// The window that it belongs to.
        public let targetContentId: String?

        /// Makes a slice; throws where a value breaks its rule.
        public init(
            title: String,
            subtitle: String? = nil,
            body: String,
            deepLink: String,
            category: Category? = nil,
            threadId: String? = nil,
            interruptionLevel: InterruptionLevel? = nil,
            relevanceScore: Double? = nil,
            targetContentId: String? = nil
        ) throws(SurfaceError) {
            try SurfaceRule.filled(title, "title")
            try SurfaceRule.filledIfPresent(subtitle, "subtitle")
            try SurfaceRule.link(deepLink, "deepLink")
            try SurfaceRule.filledIfPresent(threadId, "threadId")
            try SurfaceRule.share(relevanceScore, "relevanceScore")
            try SurfaceRule.filledIfPresent(targetContentId, "targetContentId")
            self.title = title
            self.subtitle = subtitle
            self.body = body
            self.deepLink = deepLink
            self.category = category
            self.threadId = threadId
            self.interruptionLevel = interruptionLevel
            self.relevanceScore = relevanceScore
            self.targetContentId = targetContentId
        }

        /// Decodes strictly; every failure is a `SurfaceError`.
        public init(from decoder: any Decoder) throws {
            let object = try StrictObject(
                decoder,
                known: [
                    "title", "subtitle", "body", "deepLink", "category", "threadId", "interruptionLevel",
                    "relevanceScore", "targetContentId",
                ]
            )
            try self.init(
                title: object.required("title", as: "a text"),
                subtitle: object.optional("subtitle", as: "a text"),
                body: object.required("body", as: "a text"),
                deepLink: object.required("deepLink", as: "a link with a lower-case scheme and ://"),
                category: object.wordIfPresent("category"),
                threadId: object.optional("threadId", as: "a text"),
                interruptionLevel: object.wordIfPresent("interruptionLevel"),
                relevanceScore: object.optional("relevanceScore", as: "a number from 0 to 1"),
                targetContentId: object.optional("targetContentId", as: "a text")
            )
        }
    }
}
