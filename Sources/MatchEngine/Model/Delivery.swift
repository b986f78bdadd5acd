// One ball bowled, legal or not, in neutral terms; every adapter fills it and only the fold reads it (cricket.md B.7).

/// Identity of a delivery inside a match: the provider's ball id, or a place that the adapter derives.
public struct DeliveryKey: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    /// The characters of the key.
    public let text: String
    /// Wraps a key.
    public init(_ text: String) { self.text = text }
    /// Describes one delivery.
    public init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
    /// Encodes the bare value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
    /// The text that people see.
    public var description: String { text }
    /// Orders by value.
    public static func < (left: DeliveryKey, right: DeliveryKey) -> Bool { left.text < right.text }
}

/// Where a delivery or an event stands in its match; sorts the match, whatever the labels say.
public struct OrderKey: Sendable, Hashable, Comparable, Codable {
    /// Sorts within the match.
    public let number: Int64
    /// Wraps a place in the match.
    public init(_ number: Int64) { self.number = number }
    /// Describes one delivery.
    public init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Int64.self) }
    /// Encodes the bare value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
    /// Orders by value.
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
    /// Whether the fielder was on for somebody of the eleven.
    public let isSubstitute: Bool
    /// Names a fielder.
    public init(name: String?, isSubstitute: Bool = false) {
        self.name = name
        self.isSubstitute = isSubstitute
    }
}

/// One wicket (or retirement) on a delivery; up to ten stand on one ball in real data.
public struct Dismissal: Sendable, Hashable, Codable {
    /// How.
    public let kind: DismissalKind
    /// Who left; in real data not always one of the two at the crease.
    public let out: Player
    /// Who had a part in it, first the one who did it.
    public let fielders: [Fielder]
    /// Describes one dismissal.
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
    /// Byes.
    public var byes: Int
    /// Leg byes.
    public var legByes: Int
    /// Penalty runs given to the batting side on this ball.
    public var penalty: Int

    /// Joins the parts; none may hide in another.
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
    /// Identity, the same in every reply.
    public var key: DeliveryKey
    /// Place in the match.
    public var order: OrderKey
    /// `InningsInfo.ordinal` of its innings.
    public var innings: Int
    /// The over it belongs to, from 0, as the feed has it.
    public var over: Int
    /// Who faced.
    public var striker: Player
    /// Who stood at the other end.
    public var nonStriker: Player
    /// Who bowled.
    public var bowler: Player
    /// What it brought.
    public var runs: DeliveryRuns
    /// Whether it counts towards the over.
    public var isLegal: Bool
    /// Whether four or six bat runs came without the ball reaching the rope.
    public var isAllRun: Bool
    /// Who left on it, none to ten.
    public var dismissals: [Dismissal]
    /// Provider time of the ball in seconds since 1970, when it has one.
    public var occurredAt: Int64?
    /// The provider's own word that this ball is final; confirms a moment at once (PUBLICATION section 2).
    public var isFinal: Bool
    private var askedReviews: [Review]?
    private var madeReplacements: [Replacement]?

    /// Decisions on it that were put to the third umpire.
    public var reviews: [Review] {
        get { askedReviews ?? [] }
        set { askedReviews = newValue.isEmpty ? nil : newValue }
    }

    /// Players who came for others before it.
    public var replacements: [Replacement] {
        get { madeReplacements ?? [] }
        set { madeReplacements = newValue.isEmpty ? nil : newValue }
    }

    /// Whether there is more to it than runs and wickets; one cheap look for the fold, true on one ball in hundreds.
    var hasNotes: Bool { askedReviews != nil || madeReplacements != nil }

    // What is rare is optional, so that journals written before it was known are still read.
    private enum CodingKeys: String, CodingKey {
        case key, order, innings, over, striker, nonStriker, bowler, runs, isLegal, isAllRun, dismissals, occurredAt
        case isFinal
        case askedReviews = "reviews"
        case madeReplacements = "replacements"
    }

    /// Describes one delivery.
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
        isFinal: Bool = false,
        reviews: [Review] = [],
        replacements: [Replacement] = []
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
        askedReviews = reviews.isEmpty ? nil : reviews
        madeReplacements = replacements.isEmpty ? nil : replacements
    }
}
