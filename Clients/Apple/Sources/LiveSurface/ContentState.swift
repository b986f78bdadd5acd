// Content state: the one object that every push, the HTTP snapshot and the stream carry; versions 1 and 2.

extension LiveActivityAttributes {
    /// What a phone draws of a match at one revision.
    ///
    /// Every string is ready to draw; an absent key means that there is nothing to draw. Unknown keys are ignored on
    /// decoding, so an old phone reads what a newer server writes.
    public struct ContentState: Codable, Hashable, Sendable {
        /// The version of this layout: 1, or 2 for a phone that has asked for it.
        public var v: Int
        /// The revision of the match; only grows.
        public var rev: Int64
        /// Which drawing to choose.
        public var matchDisplayState: MatchDisplayState
        /// Dynamic Island, left of the camera.
        public var compactLeading: CompactLeading
        /// Dynamic Island, right of the camera.
        public var compactTrailing: CompactTrailing
        /// Dynamic Island beside another activity.
        public var minimal: Minimal
        /// Dynamic Island, held open.
        public var expanded: Expanded
        /// Lock Screen; drawn with the parts of `expanded`.
        public var lockScreen: LockScreen
        /// Watch and CarPlay.
        public var small: Small
        /// How much of the match is played, 0 to 1; absent in version 1.
        public var progress: Double?

        /// Makes a content state from the six presentations.
        public init(
            v: Int = 1,
            rev: Int64,
            matchDisplayState: MatchDisplayState,
            compactLeading: CompactLeading,
            compactTrailing: CompactTrailing,
            minimal: Minimal,
            expanded: Expanded,
            lockScreen: LockScreen,
            small: Small,
            progress: Double? = nil
        ) {
            self.v = v
            self.rev = rev
            self.matchDisplayState = matchDisplayState
            self.compactLeading = compactLeading
            self.compactTrailing = compactTrailing
            self.minimal = minimal
            self.expanded = expanded
            self.lockScreen = lockScreen
            self.small = small
            self.progress = progress
        }
    }

    /// The batting side and its score; before the start the first side and its opponent; after the end the winner.
    public struct CompactLeading: Codable, Hashable, Sendable {
        /// Two to four characters.
        public var teamAbbr: String
        /// `87/6`, `245 & 87/6`, `v CSK`.
        public var score: String

        /// Makes the leading part.
        public init(teamAbbr: String, score: String) {
            self.teamAbbr = teamAbbr
            self.score = score
        }
    }

    /// Overs, rate, and the one thing to draw when there is room for one.
    public struct CompactTrailing: Codable, Hashable, Sendable {
        /// `12.3`; in The Hundred balls, `63`.
        public var overs: String?
        /// Runs an over with two decimals, `6.96`.
        public var runRate: String?
        /// `12.3 ov`, `34 off 21`, `+38`, `Tea`, `won`.
        public var text: String

        /// Makes the trailing part.
        public init(overs: String? = nil, runRate: String? = nil, text: String) {
            self.overs = overs
            self.runRate = runRate
            self.text = text
        }
    }

    /// The smallest drawing.
    public struct Minimal: Codable, Hashable, Sendable {
        /// At most seven characters.
        public var text: String
        /// `W`, `4`, `6`, `50`, `100`: what has just happened.
        public var flash: String?

        /// Makes the minimal part.
        public init(text: String, flash: String? = nil) {
            self.text = text
            self.flash = flash
        }
    }

    /// The main line of the Lock Screen and the one below it.
    public struct LockScreen: Codable, Hashable, Sendable {
        /// The sentence.
        public var line: String
        /// Partnership, last wicket, toss or venue.
        public var sub: String?

        /// Makes the Lock Screen's lines.
        public init(line: String, sub: String? = nil) {
            self.line = line
            self.sub = sub
        }
    }

    /// Two scores and one line.
    public struct Small: Codable, Hashable, Sendable {
        /// First side.
        public var top: String
        /// Second side.
        public var bottom: String
        /// At most 24 characters.
        public var line: String

        /// Makes the small card.
        public init(top: String, bottom: String, line: String) {
            self.top = top
            self.bottom = bottom
            self.line = line
        }
    }
}
