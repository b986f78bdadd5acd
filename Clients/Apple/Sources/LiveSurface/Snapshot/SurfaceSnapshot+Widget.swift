// The slice of a Home Screen widget.

extension SurfaceSnapshot {
    /// The content of a widget.
    public struct Widget: Codable, Hashable, Sendable {
        /// The title.
        public let title: String
        /// The line below it; may be empty.
        public let body: String
        /// The completed share, 0 to 1.
        public let progress: Double
        /// The URL that a tap opens.
        public let deepLink: String
        /// The size; nil for any.
        public let family: WidgetFamily?
        /// When the widget requests its next timeline; nil when unspecified.
        public let reloadPolicy: ReloadPolicy?

        /// Makes a slice.
        ///
        /// - Throws: `SurfaceError` when a value violates its rule.
        public init(
            title: String,
            body: String,
            progress: Double,
            deepLink: String,
            family: WidgetFamily? = nil,
            reloadPolicy: ReloadPolicy? = nil
        ) throws(SurfaceError) {
            try SurfaceRule.filled(title, "title")
            try SurfaceRule.share(progress, "progress")
            try SurfaceRule.link(deepLink, "deepLink")
            self.title = title
            self.body = body
            self.progress = progress
            self.deepLink = deepLink
            self.family = family
            self.reloadPolicy = reloadPolicy
        }

        /// Decodes strictly.
        ///
        /// - Throws: `SurfaceError`.
        public init(from decoder: any Decoder) throws {
            let known = [
                "title", "body", "progress", "deepLink", "family", "reloadPolicy",
            ]
            let object = try StrictObject(decoder, known: known)
            try self.init(
                title: object.required("title", as: "a text"),
                body: object.required("body", as: "a text"),
                progress: object.required("progress", as: "a number from 0 to 1"),
                deepLink: object.required("deepLink", as: "a link with a lower-case scheme and ://"),
                family: object.enumerationIfPresent("family"),
                reloadPolicy: object.enumerationIfPresent("reloadPolicy")
            )
        }
    }
}
