// Content state: the object of every push, the HTTP snapshot and the stream; versions 1 and 2.

extension LiveActivityAttributes {
    /// The state of a match at one revision, as a phone draws it.
    ///
    /// Every string is ready to draw; an absent key means that there is nothing to draw. Decoding ignores unknown keys,
    /// so an old phone reads the output of a newer server.
    public struct ContentState: Codable, Hashable, Sendable {
        /// The version of the layout: 1, or 2 for a phone that requested it.
        public var v: Int
        /// The revision of the match; only increases.
        public var rev: Int64
        /// Selects the drawing.
        public var matchDisplayState: MatchDisplayState
        /// Dynamic Island, left of the camera.
        public var compactLeading: CompactLeading
        /// Dynamic Island, right of the camera.
        public var compactTrailing: CompactTrailing
        /// Dynamic Island, beside another activity.
        public var minimal: Minimal
        /// Dynamic Island, expanded.
        public var expanded: Expanded
        /// Lock Screen; drawn together with parts of `expanded`.
        public var lockScreen: LockScreen
        /// Watch and CarPlay.
        public var small: Small
        /// Share of the match that has been played, 0 to 1; absent in version 1.
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

        /// The part of the score that fits where all of it does not: the newest innings of a side that has batted
        /// twice, `87/6` of `245 & 87/6`.
        public var newestScore: String {
            score.split(separator: "&").last.map { String($0.drop { $0 == " " }) } ?? score
        }

        /// Makes the leading part.
        public init(teamAbbr: String, score: String) {
            self.teamAbbr = teamAbbr
            self.score = score
        }
    }

    /// Overs, run rate, and the one text to draw when there is space for one.
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

    /// The smallest presentation.
    public struct Minimal: Codable, Hashable, Sendable {
        /// At most seven characters.
        public var text: String
        /// The event of the newest ball: `W`, `4`, `6`, `50`, `100`.
        public var flash: String?

        /// Makes the minimal part.
        public init(text: String, flash: String? = nil) {
            self.text = text
            self.flash = flash
        }
    }

    /// The main line of the Lock Screen and the line below it.
    public struct LockScreen: Codable, Hashable, Sendable {
        /// The situation of the match in one sentence.
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
