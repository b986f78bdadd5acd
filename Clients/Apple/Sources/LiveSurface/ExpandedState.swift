// The most detailed presentation of a match: both sides, batters, bowler, last balls, one sentence, the event.

extension LiveActivityAttributes {
    /// The expanded presentation.
    public struct Expanded: Codable, Hashable, Sendable {
        /// Two rows, in the order of the attributes' teams.
        public var teams: [TeamRow]
        /// The batters at the crease, at most two; the key is absent when there are none.
        public var batters: [Batter]
        /// The bowler of the over in progress, or of the last one.
        public var bowler: Bowler?
        /// At most ten balls, oldest first: `.` `1` `4` `6` `W` `wd` `nb` `lb2`; the key is absent when there are none.
        public var recent: [String]
        /// The situation of the match in one sentence, at most 48 characters.
        public var line: String
        /// The moment that this state announces.
        public var event: Event?

        /// Makes the expanded part.
        public init(
            teams: [TeamRow],
            batters: [Batter] = [],
            bowler: Bowler? = nil,
            recent: [String] = [],
            line: String,
            event: Event? = nil
        ) {
            self.teams = teams
            self.batters = batters
            self.bowler = bowler
            self.recent = recent
            self.line = line
            self.event = event
        }

        private enum Key: String, CodingKey { case teams, batters, bowler, recent, line, event }

        /// Decodes; absent lists are empty.
        ///
        /// - Throws: `DecodingError`.
        public init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: Key.self)
            teams = try keys.decode([TeamRow].self, forKey: .teams)
            batters = try keys.decodeIfPresent([Batter].self, forKey: .batters) ?? []
            bowler = try keys.decodeIfPresent(Bowler.self, forKey: .bowler)
            recent = try keys.decodeIfPresent([String].self, forKey: .recent) ?? []
            line = try keys.decode(String.self, forKey: .line)
            event = try keys.decodeIfPresent(Event.self, forKey: .event)
        }

        /// Encodes; the keys of empty lists are omitted.
        ///
        /// - Throws: The encoder's errors.
        public func encode(to encoder: any Encoder) throws {
            var keys = encoder.container(keyedBy: Key.self)
            try keys.encode(teams, forKey: .teams)
            if !batters.isEmpty { try keys.encode(batters, forKey: .batters) }
            try keys.encodeIfPresent(bowler, forKey: .bowler)
            if !recent.isEmpty { try keys.encode(recent, forKey: .recent) }
            try keys.encode(line, forKey: .line)
            try keys.encodeIfPresent(event, forKey: .event)
        }
    }

    /// One side's row.
    public struct TeamRow: Codable, Hashable, Sendable {
        /// Two to four characters, as in the attributes.
        public var abbr: String
        /// `87/6`, `294`, `487/6d`, `245 & 87/6`; empty before the side has batted.
        public var score: String
        /// Overs of the innings shown, `12.3` or `20`; in The Hundred balls.
        public var overs: String?
        /// Whether the side is batting now.
        public var batting: Bool

        /// Makes a row.
        public init(abbr: String, score: String, overs: String? = nil, batting: Bool) {
            self.abbr = abbr
            self.score = score
            self.overs = overs
            self.batting = batting
        }
    }

    /// A batter at the crease.
    public struct Batter: Codable, Hashable, Sendable {
        /// At most 24 characters.
        public var name: String
        /// Runs made.
        public var runs: Int
        /// Balls faced.
        public var balls: Int
        /// Whether the batter faces the next ball; false for both while that is unknown.
        public var onStrike: Bool

        /// Makes a batter.
        public init(name: String, runs: Int, balls: Int, onStrike: Bool) {
            self.name = name
            self.runs = runs
            self.balls = balls
            self.onStrike = onStrike
        }
    }

    /// The bowler.
    public struct Bowler: Codable, Hashable, Sendable {
        /// At most 24 characters.
        public var name: String
        /// Wickets and runs, `3/17`.
        public var figures: String
        /// `2.3`; in The Hundred balls.
        public var overs: String

        /// Makes a bowler.
        public init(name: String, figures: String, overs: String) {
            self.name = name
            self.figures = figures
            self.overs = overs
        }
    }

    /// An event of the match.
    public struct Event: Codable, Hashable, Sendable {
        /// `wicket`, `fifty`, `hundred`, `result` …; a phone draws an unknown kind by its text alone.
        public var kind: String
        /// The text to draw.
        public var text: String

        /// Makes an event.
        public init(kind: String, text: String) {
            self.kind = kind
            self.text = text
        }
    }
}
