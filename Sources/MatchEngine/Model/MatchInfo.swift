// The facts of a match beside its balls; every provider's reply states them, and each of them may change.

/// One of the two sides: the first or the second team of `MatchInfo.teams`.
public enum Side: Int, Sendable, Hashable, Codable, CaseIterable {
    case first = 0
    case second = 1
    /// The other side.
    public var opponent: Side { self == .first ? .second : .first }
}

/// The formats that differ in rules (cricket.md C.14).
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

    /// Makes a player.
    public init(id: String, name: String) { entry = Entry(id: id, name: name) }

    /// Decodes `{"id", "name"}`.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws { entry = try Entry(from: decoder) }

    /// Encodes `{"id", "name"}`.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws { try entry.encode(to: encoder) }

    /// Whether both have the same id; fast when they share one reference.
    func isSame(as other: Player) -> Bool { entry === other.entry || entry.id == other.entry.id }

    /// Shared by reference: every ball names three players and is copied often.
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
    public var id: String
    /// The full name.
    public let name: String
    /// Two to four letters; the engine derives them from the name when nil.
    public let abbreviation: String?
    /// `#rrggbb`, when known.
    public let color: String?
    /// The named players, in the feed's order.
    public var players: [Player]
    /// The id of the wicket-keeper; nil when the feed does not say.
    public var keeper: String?
    /// Makes a side.
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

/// The result of the toss (Law 13.4).
public struct Toss: Sendable, Hashable, Codable {
    /// The choice of the winner.
    public enum Decision: String, Sendable, Hashable, Codable { case bat, field, uncontested }
    /// The side that won the toss.
    public var winner: Side
    /// The choice of the winner.
    public let decision: Decision
    /// Makes a toss.
    public init(winner: Side, decision: Decision) {
        self.winner = winner
        self.decision = decision
    }
}

/// The facts of a match: sides, format, limits, place and time.
public struct MatchInfo: Sendable, Hashable, Codable {
    /// The format.
    public var format: Format
    /// The event or league; it selects rules and is displayed.
    public var competition: String?
    /// The season as the feed writes it, such as `2021` or `2020/21`.
    public var season: String?
    /// Whether it is a women's match.
    public var isWomens: Bool
    /// Legal balls of an over: 6; 5 in The Hundred; 8 in some matches before 1980.
    public var ballsPerOver: Int
    /// Legal balls that an innings may last; nil when only time limits it.
    public var ballLimit: Int?
    /// Two teams, in the order of `Side`.
    public var teams: [TeamInfo]
    /// The ground.
    public var venue: String?
    /// Start of play in seconds since 1970; nil when it is unknown or outside `starts`.
    public var startsAt: Int64?
    /// Scheduled days as `yyyy-mm-dd`.
    public var days: [String]
    /// The toss; nil before it.
    public var toss: Toss?

    /// Times at which a match may start, in seconds since 1970, up to the end of the year 9999.
    ///
    /// A feed's number has no bounds of its own; this range keeps later arithmetic from overflowing.
    public static let starts: ClosedRange<Int64> = 0...253_402_300_799

    /// Makes the facts of a match.
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

    /// The team of a side; an unnamed team when the feed gives fewer than two.
    public func team(_ side: Side) -> TeamInfo {
        teams.indices.contains(side.rawValue) ? teams[side.rawValue] : TeamInfo(id: "", name: "")
    }
}
