// The slice of a StandBy card, which a phone on its charger shows.

extension SurfaceSnapshot {
    /// What a StandBy card shows.
    public struct Standby: Codable, Hashable, Sendable {
        /// The headline.
        public let title: String
        /// The line below it; may be empty.
        public let body: String
        /// How much is done, 0 to 1.
        public let progress: Double
        /// What a tap opens.
        public let deepLink: String
        /// By day or by night; `card` when a snapshot does not say, and always written.
        public let presentation: Presentation
        /// Its colours.
        public let tint: Tint?

        /// Makes a slice; throws where a value breaks its rule.
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

        /// Decodes strictly; every failure is a `SurfaceError`.
        public init(from decoder: any Decoder) throws {
            let object = try StrictObject(
                decoder,
                known: [
                    "title", "body", "progress", "deepLink", "presentation", "tint",
                ]
            )
            try self.init(
                title: object.required("title", as: "a text"),
                body: object.required("body", as: "a text"),
                progress: object.required("progress", as: "a number from 0 to 1"),
                deepLink: object.required("deepLink", as: "a link with a lower-case scheme and ://"),
                presentation: object.wordIfPresent("presentation") ?? .card,
                tint: object.wordIfPresent("tint")
            )
        }
    }
}
