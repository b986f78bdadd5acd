// The slice of a control in Control Center or on the Action Button.

extension SurfaceSnapshot {
    /// The content of a control.
    public struct Control: Codable, Hashable, Sendable {
        /// The text on the control.
        public let label: String
        /// The URL that it opens.
        public let deepLink: String
        /// The action of the control.
        public let controlKind: ControlKind
        /// Whether a toggle is on; nil for other controls.
        public let state: Bool?
        /// The name of the intent that it runs; nil for none.
        public let intent: String?

        /// Makes a slice.
        ///
        /// - Throws: `SurfaceError` when a value violates its rule.
        public init(
            label: String,
            deepLink: String,
            controlKind: ControlKind,
            state: Bool? = nil,
            intent: String? = nil
        ) throws(SurfaceError) {
            try SurfaceRule.filled(label, "label")
            try SurfaceRule.link(deepLink, "deepLink")
            self.label = label
            self.deepLink = deepLink
            self.controlKind = controlKind
            self.state = state
            self.intent = intent
        }

        /// Decodes strictly.
        ///
        /// - Throws: `SurfaceError`.
        public init(from decoder: any Decoder) throws {
            let object = try StrictObject(decoder, known: ["label", "deepLink", "controlKind", "state", "intent"])
            try self.init(
                label: object.required("label", as: "a text"),
                deepLink: object.required("deepLink", as: "a link with a lower-case scheme and ://"),
                controlKind: object.enumeration("controlKind"),
                state: object.optional("state", as: "true or false"),
                intent: object.optional("intent", as: "a text")
            )
        }
    }
}
