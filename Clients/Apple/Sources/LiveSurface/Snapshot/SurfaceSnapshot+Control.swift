// The slice of a control in Control Center or on the Action Button.

extension SurfaceSnapshot {
    /// What a control shows and does.
    public struct Control: Codable, Hashable, Sendable {
        /// The words on it.
        public let label: String
        /// What it opens.
        public let deepLink: String
        /// What pressing it does.
        public let controlKind: ControlKind
        /// Whether a toggle is on; false is not the same as absent.
        public let state: Bool?
        /// The name of the intent that it runs.
        public let intent: String?

        /// Makes a slice; throws where a value breaks its rule.
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

        /// Decodes strictly; every failure is a `SurfaceError`.
        public init(from decoder: any Decoder) throws {
            let object = try StrictObject(
                decoder,
                known: [
                    "label", "deepLink", "controlKind", "state", "intent",
                ]
            )
            try self.init(
                label: object.required("label", as: "a text"),
                deepLink: object.required("deepLink", as: "a link with a lower-case scheme and ://"),
                controlKind: object.word("controlKind"),
                state: object.optional("state", as: "true or false"),
                intent: object.optional("intent", as: "a text")
            )
        }
    }
}
