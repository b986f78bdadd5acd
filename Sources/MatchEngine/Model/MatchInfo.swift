// What is known about a match apart from its balls; any provider's reply fills it, and any of it may change.

/// A side's place in a match: the first or the second team of `MatchInfo.teams`.
public enum Side: Int, Sendable, Hashable, Codable, CaseIterable {
    case first = 0
    case second = 1
    /// The other side.
    public var opponent: Side { self == .first ? .second : .first }
}

/// The kinds of cricket that differ in rules (cricket.md C.14).
public enum Format: String, Sendable, Hashable, Codable, CaseIterable {
    case test, firstClass, odi, listA, t20i, t20, t10, hundred
}

/// A player as the feed names him or her.
public struct Player: Sendable, Hashable, Codable {
    /// The provider's id where it has one, else the name.
    public var id: String { entry.id }
    /// The name as the feed writes it.
    public var name: String { entry.name }
    private let entry: Entry

    /// Names a player.
    public init(id: String, name: String) { entry = Entry(id: id, name: name) }

    /// Reads `{"id", "name"}`.
    public init(from decoder: any Decoder) throws { entry = try Entry(from: decoder) }

    /// Writes `{"id", "name"}`.
    public func encode(to encoder: any Encoder) throws { try entry.encode(to: encoder) }

    /// Whether both are the same person; quick when they are one and the same value.
    func isSame(as other: Player) -> Bool { entry === other.entry || entry.id == other.entry.id }

    /// Behind one reference, since every ball names three players and is copied often.
    private final class Entry: Sendable, Hashable, Codable {
        let id: String
        let name: String

        init(id: String, name: String) {
            self.id = id
            self.name = name
        }

        static func == (left: Entry, right: Entry) -> Bool {
            left === right || left.id == right.id && left.name == right.name
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(id)
            hasher.combine(name)
        }
    }
}

/// One side of a match.
public struct TeamInfo: Sendable, Hashable, Codable {
    /// The provider's id where it has one, else the name.
    public let id: String
    /// The full name.
    public let name: String
    /// Two to four letters; nil lets the engine derive them from the name.
    public let abbreviation: String?
    /// `#rrggbb`, when known.
    public let color: String?
    /// Those named to play, in the feed's order.
    public let players: [Player]
    /// The id of the player who keeps wicket, when the feed says.
    public let keeper: String?
    /// Describes one side.
    public init(
        id: String,
        name: String,
        abbreviation: String? = nil,
        color: String? = nil,
        players: [Player] = [],
        keeper: String? = nil
    ) {
        self.id = id
        self.name = name
        self.abbreviation = abbreviation
        self.color = color
        self.players = players
        self.keeper = keeper
    }
}

/// Who won the toss and what was chosen.
public struct Toss: Sendable, Hashable, Codable {
    /// The choice.
    public enum Decision: String, Sendable, Hashable, Codable { case bat, field, uncontested }
    /// Who won it.
    public let winner: Side
    /// What was chosen.
    public let decision: Decision
    /// Describes a toss.
    public init(winner: Side, decision: Decision) {
        self.winner = winner
        self.decision = decision
    }
}

/// The frame of a match: sides, format, limits, place and time.
public struct MatchInfo: Sendable, Hashable, Codable {
    /// The kind of cricket.
    public var format: Format
    /// The event or league, for rule sets and for show.
    public var competition: String?
    /// As the feed writes it, such as `2021` or `2020/21`.
    public var season: String?
    /// Whether women play.
    public var isWomens: Bool
    /// Legal balls in an over: 6, 5 in The Hundred's feeds, 8 in old matches.
    public var ballsPerOver: Int
    /// Legal balls an innings may last; nil when only time limits it.
    public var ballLimit: Int?
    /// Exactly two, in the order of `Side`.
    public var teams: [TeamInfo]
    /// The ground.
    public var venue: String?
    /// Start of play in seconds since 1970, when known; one outside `starts` is taken for unknown.
    public var startsAt: Int64?
    /// Scheduled days as `yyyy-mm-dd`.
    public var days: [String]
    /// nil before it.
    public var toss: Toss?

    /// Times at which a match may start, in seconds since 1970, to the end of the year 9999.
    ///
    /// A feed's number is bounded by nothing, and what is reckoned with it later must not overflow.
    public static let starts: ClosedRange<Int64> = 0...253_402_300_799

    /// Describes a match.
    public init(
        format: Format,
        competition: String? = nil,
        season: String? = nil,
        isWomens: Bool = false,
        ballsPerOver: Int? = nil,
        ballLimit: Int? = nil,
        teams: [TeamInfo],
        venue: String? = nil,
        startsAt: Int64? = nil,
        days: [String] = [],
        toss: Toss? = nil
    ) {
        self.format = format
        self.competition = competition
        self.season = season
        self.isWomens = isWomens
        self.ballsPerOver = ballsPerOver ?? format.ballsPerOver
        self.ballLimit = ballLimit
        self.teams = teams
        self.venue = venue
        self.startsAt = startsAt.flatMap { Self.starts.contains($0) ? $0 : nil }
        self.days = days
        self.toss = toss
    }

    /// The team of a side; an unnamed one when the feed gave fewer than two.
    public func team(_ side: Side) -> TeamInfo {
        teams.indices.contains(side.rawValue) ? teams[side.rawValue] : TeamInfo(id: "", name: "")
    }
}
