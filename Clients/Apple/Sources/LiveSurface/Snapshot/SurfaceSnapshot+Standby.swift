// The slice of a StandBy card, which an iPhone on a charger shows.

extension SurfaceSnapshot {
    /// The content of a StandBy card.
    public struct Standby: Codable, Hashable, Sendable {
        /// The title.
        public let title: String
        /// The line below it; may be empty.
        public let body: String
        /// The completed share, 0 to 1.
        public let progress: Double
        /// The URL that a tap opens.
        public let deepLink: String
        /// The presentation by day or by night; `card` when a snapshot states none, and always encoded.
        public let presentation: Presentation
        /// The colours; nil for the default ones.
        public let tint: Tint?

        /// Makes a slice.
        ///
        /// - Throws: `SurfaceError` when a value violates its rule.
        public init(
            title: String,
            body: String,
            progress: Double,
            deepLink: String,
            presentation: Presentation = .card,
            tint: Tint? = nil
        ) throws(SurfaceError) {
            try SurfaceRule.filled(title, "title")
            try SurfaceRule.share(progress, "progress")
            try SurfaceRule.link(deepLink, "deepLink")
            self.title = title
            self.body = body
            self.progress = progress
            self.deepLink = deepLink
            self.presentation = presentation
            self.tint = tint
        }

        /// Decodes strictly.
        ///
        /// - Throws: `SurfaceError`.
        public init(from decoder: any Decoder) throws {
            let known = [
                "title", "body", "progress", "deepLink", "presentation", "tint",
            ]
            let object = try StrictObject(decoder, known: known)
            try self.init(
                title: object.required("title", as: "a text"),
                body: object.required("body", as: "a text"),
                progress: object.required("progress", as: "a number from 0 to 1"),
                deepLink: object.required("deepLink", as: "a link with a lower-case scheme and ://"),
                presentation: object.enumerationIfPresent("presentation") ?? .card,
                tint: object.enumerationIfPresent("tint")
            )
        }
    }
}
