// One ball bowled, legal or not, in neutral terms; every adapter fills it and only the fold reads it (cricket.md B.7).

/// Identity of a delivery inside a match: the provider's ball id, or a place that the adapter derives.
public struct DeliveryKey: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    public let text: String
    public init(_ text: String) { self.text = text }
    public init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
    public var description: String { text }
    public static func < (left: DeliveryKey, right: DeliveryKey) -> Bool { left.text < right.text }
}

/// Where a delivery or an event stands in its match; sorts the match, whatever the labels say.
public struct OrderKey: Sendable, Hashable, Comparable, Codable {
    public let number: Int64
    public init(_ number: Int64) { self.number = number }
    public init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Int64.self) }
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
    public static func < (left: OrderKey, right: OrderKey) -> Bool { left.number < right.number }
}

/// How a batter was dismissed or left (cricket.md C.2).
public enum DismissalKind: String, Sendable, Hashable, Codable, CaseIterable {
    case bowled, lbw, caught, caughtAndBowled, stumped, hitWicket, runOut
    case obstructingTheField, hitTheBallTwice, timedOut, handledTheBall
    case retiredOut, retiredHurt, retiredNotOut
    /// A word that the adapter does not know: counts as a wicket without credit, and raises a metric.
    case other
}

/// A fielder's part in a dismissal.
public struct Fielder: Sendable, Hashable, Codable {
    /// nil for a nameless substitute.
    public let name: String?
    public let isSubstitute: Bool
    public init(name: String?, isSubstitute: Bool = false) {
        self.name = name
        self.isSubstitute = isSubstitute
    }
}

/// One wicket (or retirement) on a delivery; up to ten stand on one ball in real data.
public struct Dismissal: Sendable, Hashable, Codable {
    public let kind: DismissalKind
    public let out: Player
    public let fielders: [Fielder]
    public init(kind: DismissalKind, out: Player, fielders: [Fielder] = []) {
        self.kind = kind
        self.out = out
        self.fielders = fielders
    }
}

/// Runs of one delivery, in disjoint parts.
public struct DeliveryRuns: Sendable, Hashable, Codable {
    /// Off the bat.
    public var bat: Int
    /// All wides of the ball: the penalty and what was run.
    public var wides: Int
    /// The no-ball penalty: 1, or 2 by competition.
    public var noBalls: Int
    public var byes: Int
    public var legByes: Int
    /// Penalty runs given to the batting side on this ball.
    public var penalty: Int

    public init(bat: Int = 0, wides: Int = 0, noBalls: Int = 0, byes: Int = 0, legByes: Int = 0, penalty: Int = 0) {
        self.bat = bat
        self.wides = wides
        self.noBalls = noBalls
        self.byes = byes
        self.legByes = legByes
        self.penalty = penalty
    }
}

/// One ball bowled, legal or not.
public struct Delivery: Sendable, Hashable, Codable {
    public var key: DeliveryKey
    public var order: OrderKey
    /// `InningsInfo.ordinal` of its innings.
    public var innings: Int
    /// The over it belongs to, from 0, as the feed has it.
    public var over: Int
    public var striker: Player
    public var nonStriker: Player
    public var bowler: Player
    public var runs: DeliveryRuns
    /// Whether it counts towards the over.
    public var isLegal: Bool
    /// Whether four or six bat runs came without the ball reaching the rope.
    public var isAllRun: Bool
    public var dismissals: [Dismissal]
    /// Provider time of the ball in seconds since 1970, when it has one.
    public var occurredAt: Int64?
    /// The provider's own word that this ball is final; confirms a moment at once (PUBLICATION section 2).
    public var isFinal: Bool

    public init(
        key: DeliveryKey,
        order: OrderKey,
        innings: Int,
        over: Int,
        striker: Player,
        nonStriker: Player,
        bowler: Player,
        runs: DeliveryRuns = DeliveryRuns(),
        isLegal: Bool = true,
        isAllRun: Bool = false,
        dismissals: [Dismissal] = [],
        occurredAt: Int64? = nil,
        isFinal: Bool = false
    ) {
        self.key = key
        self.order = order
        self.innings = innings
        self.over = over
        self.striker = striker
        self.nonStriker = nonStriker
        self.bowler = bowler
        self.runs = runs
        self.isLegal = isLegal
        self.isAllRun = isAllRun
        self.dismissals = dismissals
        self.occurredAt = occurredAt
        self.isFinal = isFinal
    }
}
