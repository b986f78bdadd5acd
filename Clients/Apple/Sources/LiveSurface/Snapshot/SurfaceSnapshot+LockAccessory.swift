// The slice of an accessory above or below the clock of the Lock Screen.

extension SurfaceSnapshot {
    /// The content of a Lock Screen accessory.
    public struct LockAccessory: Codable, Hashable, Sendable {
        /// The title.
        public let title: String
        /// The URL that a tap opens.
        public let deepLink: String
        /// The shape.
        public let family: AccessoryFamily
        /// Value of the gauge, 0 to 1; nil without a gauge.
        public let gaugeValue: Double?
        /// At most twenty UTF-16 units.
        public let shortText: String?

        /// Makes a slice.
        ///
        /// - Throws: `SurfaceError` when a value violates its rule.
        public init(
            title: String,
            deepLink: String,
            family: AccessoryFamily,
            gaugeValue: Double? = nil,
            shortText: String? = nil
        ) throws(SurfaceError) {
            try SurfaceRule.filled(title, "title")
            try SurfaceRule.link(deepLink, "deepLink")
            try SurfaceRule.share(gaugeValue, "gaugeValue")
            try SurfaceRule.short(shortText, "shortText")
            self.title = title
            self.deepLink = deepLink
            self.family = family
            self.gaugeValue = gaugeValue
            self.shortText = shortText
        }

        /// Decodes strictly.
        ///
        /// - Throws: `SurfaceError`.
        public init(from decoder: any Decoder) throws {
            let object = try StrictObject(decoder, known: ["title", "deepLink", "family", "gaugeValue", "shortText"])
            try self.init(
                title: object.required("title", as: "a text"),
                deepLink: object.required("deepLink", as: "a link with a lower-case scheme and ://"),
                family: object.enumeration("family"),
                gaugeValue: object.optional("gaugeValue", as: "a number from 0 to 1"),
                shortText: object.optional("shortText", as: "a text")
            )
        }
    }
}
