// The slice of a notification.

extension SurfaceSnapshot {
    /// The content of a notification.
    public struct Notification: Codable, Hashable, Sendable {
        /// The title.
        public let title: String
        /// The line below the title; nil for none.
        public let subtitle: String?
        /// The text; may be empty.
        public let body: String
        /// The URL that a tap opens.
        public let deepLink: String
        /// The registered category; nil for none.
        public let category: Category?
        /// The thread by which notifications are grouped; nil for none.
        public let threadId: String?
        /// The interruption level; nil for the default.
        public let interruptionLevel: InterruptionLevel?
        /// Rank in the notification summary, 0 to 1.
        public let relevanceScore: Double?
        /// The identifier of the window that a tap opens; nil for none.
        public let targetContentId: String?

        /// Makes a slice.
        ///
        /// - Throws: `SurfaceError` when a value violates its rule.
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
            try SurfaceRule.filled(subtitle, "subtitle")
            try SurfaceRule.link(deepLink, "deepLink")
            try SurfaceRule.filled(threadId, "threadId")
            try SurfaceRule.share(relevanceScore, "relevanceScore")
            try SurfaceRule.filled(targetContentId, "targetContentId")
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

        /// Decodes strictly.
        ///
        /// - Throws: `SurfaceError`.
        public init(from decoder: any Decoder) throws {
            let known = [
                "title", "subtitle", "body", "deepLink", "category", "threadId", "interruptionLevel",
                "relevanceScore", "targetContentId",
            ]
            let object = try StrictObject(decoder, known: known)
            try self.init(
                title: object.required("title", as: "a text"),
                subtitle: object.optional("subtitle", as: "a text"),
                body: object.required("body", as: "a text"),
                deepLink: object.required("deepLink", as: "a link with a lower-case scheme and ://"),
                category: object.enumerationIfPresent("category"),
                threadId: object.optional("threadId", as: "a text"),
                interruptionLevel: object.enumerationIfPresent("interruptionLevel"),
                relevanceScore: object.optional("relevanceScore", as: "a number from 0 to 1"),
                targetContentId: object.optional("targetContentId", as: "a text")
            )
        }
    }
}
