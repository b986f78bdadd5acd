// One ball bowled, legal or not, independent of providers; adapters create it and the fold reads it (cricket.md B.7).

/// Identity of a delivery inside a match: the provider's ball id, or a position that the adapter derives.
public struct DeliveryKey: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    /// The characters of the key.
    public let text: String
    /// Wraps a key.
    ///
    /// - Parameter text: Unique among the deliveries of the match, and the same in every reply.
    public init(_ text: String) { self.text = text }
    /// Decodes a bare string.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
    /// Encodes the bare string.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
    /// The characters of the key.
    public var description: String { text }
    /// Orders by the characters.
    public static func < (left: DeliveryKey, right: DeliveryKey) -> Bool { left.text < right.text }
}

/// Position of a delivery in its match; deliveries are sorted by it and not by their labels.
public struct OrderKey: Sendable, Hashable, Comparable, Codable {
    /// The sort key; larger is later.
    public let number: Int64
    /// Wraps a sort key.
    public init(_ number: Int64) { self.number = number }
    /// Decodes a bare integer.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Int64.self) }
    /// Encodes the bare integer.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
    /// Orders by the number.
    public static func < (left: OrderKey, right: OrderKey) -> Bool { left.number < right.number }
}

/// How a batter was dismissed or left (cricket.md C.2).
public enum DismissalKind: String, Sendable, Hashable, Codable, CaseIterable {
    case bowled, lbw, caught, caughtAndBowled, stumped, hitWicket, runOut
    case obstructingTheField, hitTheBallTwice, timedOut, handledTheBall
    case retiredOut, retiredHurt, retiredNotOut
    /// A kind that the adapter does not know: counts as a wicket without credit to the bowler, and increases a metric.
    case other
}

/// A fielder's part in a dismissal.
public struct Fielder: Sendable, Hashable, Codable {
    /// The name as the feed writes it; nil for an unnamed substitute.
    public let name: String?
    /// Whether the fielder was a substitute.
    public let isSubstitute: Bool
    /// Makes a fielder.
    public init(name: String?, isSubstitute: Bool = false) {
        self.name = name
        self.isSubstitute = isSubstitute
    }
}

/// One wicket or retirement on a delivery; recorded deliveries have up to ten.
public struct Dismissal: Sendable, Hashable, Codable {
    /// The kind of dismissal.
    public let kind: DismissalKind
    /// The batter who left; in recorded data not always one of the two at the crease.
    public var out: Player
    /// The fielders involved; the one who completed the dismissal first.
    public let fielders: [Fielder]
    /// Makes a dismissal.
    public init(kind: DismissalKind, out: Player, fielders: [Fielder] = []) {
        self.kind = kind
        self.out = out
        self.fielders = fielders
    }
}

/// Runs of one delivery, in disjoint parts (cricket.md C.1).
public struct DeliveryRuns: Sendable, Hashable, Codable {
    /// Runs off the bat.
    public var bat: Int
    /// All wides of the ball: the penalty and the runs completed (Law 22.7).
    public var wides: Int
    /// The penalty of the no-ball: 1, or 2 in some competitions (Law 21.16).
    public var noBalls: Int
    /// Byes (Law 23).
    public var byes: Int
    /// Leg byes (Law 23).
    public var legByes: Int
    /// Penalty runs awarded to the batting side on this ball (Law 18.6).
    public var penalty: Int

    /// Makes the runs of a ball; no run may be counted in two parts.
    public init(bat: Int = 0, wides: Int = 0, noBalls: Int = 0, byes: Int = 0, legByes: Int = 0, penalty: Int = 0) {
        self.bat = bat
        self.wides = wides
        self.noBalls = noBalls
        self.byes = byes
        self.legByes = legByes
        self.penalty = penalty
    }

    /// All runs of the ball.
    public var total: Int { bat + wides + noBalls + byes + legByes + penalty }
}

/// One ball bowled, legal or not.
public struct Delivery: Sendable, Hashable, Codable {
    /// Identity, the same in every reply.
    public var key: DeliveryKey {
        get { entry.facts.key }
        set { change { $0.key = newValue } }
    }
    /// Position in the match.
    public var order: OrderKey {
        get { entry.facts.order }
        set { change { $0.order = newValue } }
    }
    /// `InningsInfo.ordinal` of its innings.
    public var innings: Int {
        get { entry.facts.innings }
        set { change { $0.innings = newValue } }
    }
    /// The over, from 0, as the feed numbers it.
    public var over: Int {
        get { entry.facts.over }
        set { change { $0.over = newValue } }
    }
    /// The batter who faced the ball.
    public var striker: Player {
        get { entry.facts.striker }
        set { change { $0.striker = newValue } }
    }
    /// The batter at the other end.
    public var nonStriker: Player {
        get { entry.facts.nonStriker }
        set { change { $0.nonStriker = newValue } }
    }
    /// The bowler.
    public var bowler: Player {
        get { entry.facts.bowler }
        set { change { $0.bowler = newValue } }
    }
    /// The runs of the ball.
    public var runs: DeliveryRuns {
        get { entry.facts.runs }
        set { change { $0.runs = newValue } }
    }
    /// Whether the ball counts towards the over (Law 17.3).
    public var isLegal: Bool {
        get { entry.facts.isLegal }
        set { change { $0.isLegal = newValue } }
    }
    /// Whether four or six runs off the bat were all run, without the ball reaching the boundary.
    public var isAllRun: Bool {
        get { entry.facts.isAllRun }
        set { change { $0.isAllRun = newValue } }
    }
    /// The dismissals on the ball, none to ten.
    public var dismissals: [Dismissal] {
        get { entry.facts.dismissals }
        set { change { $0.dismissals = newValue } }
    }
    /// Time of the ball by the provider, in seconds since 1970; nil when the feed has none.
    public var occurredAt: Int64? {
        get { entry.facts.occurredAt }
        set { change { $0.occurredAt = newValue } }
    }
    /// Whether the provider marks the ball as final, which confirms its moments at once (PUBLICATION section 2).
    public var isFinal: Bool {
        get { entry.facts.isFinal }
        set { change { $0.isFinal = newValue } }
    }
    /// Decisions on the ball that were reviewed by the third umpire.
    public var reviews: [Review] {
        get { entry.facts.reviews ?? [] }
        set { change { $0.reviews = newValue.isEmpty ? nil : newValue } }
    }
    /// Players who were replaced before the ball.
    public var replacements: [Replacement] {
        get { entry.facts.replacements ?? [] }
        set { change { $0.replacements = newValue.isEmpty ? nil : newValue } }
    }
    /// Whether the ball has reviews or replacements; true for one ball in hundreds.
    var hasReviewsOrReplacements: Bool { entry.facts.reviews != nil || entry.facts.replacements != nil }

    private var entry: Entry

    /// Makes a delivery.
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
        entry = Entry(
            Facts(
                key: key,
                order: order,
                innings: innings,
                over: over,
                striker: striker,
                nonStriker: nonStriker,
                bowler: bowler,
                runs: runs,
                isLegal: isLegal,
                isAllRun: isAllRun,
                dismissals: dismissals,
                occurredAt: occurredAt,
                isFinal: isFinal,
                reviews: reviews.isEmpty ? nil : reviews,
                replacements: replacements.isEmpty ? nil : replacements
            )
        )
    }

    /// Decodes an object with the names of the properties.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws { entry = Entry(try Facts(from: decoder)) }

    /// Encodes an object with the names of the properties; without reviews or replacements it has neither name.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws { try entry.facts.encode(to: encoder) }

    private mutating func change(_ edit: (inout Facts) -> Void) {
        var facts = entry.facts
        edit(&facts)
        entry = Entry(facts)
    }

    /// Rare facts are optional, so that journals written before their introduction can be read.
    private struct Facts: Hashable, Codable {
        var key: DeliveryKey
        var order: OrderKey
        var innings: Int
        var over: Int
        var striker: Player
        var nonStriker: Player
        var bowler: Player
        var runs: DeliveryRuns
        var isLegal: Bool
        var isAllRun: Bool
        var dismissals: [Dismissal]
        var occurredAt: Int64?
        var isFinal: Bool
        var reviews: [Review]?
        var replacements: [Replacement]?
    }

    /// Shared by reference: the balls of a match are copied at each poll, and nearly all of them are unchanged.
    private final class Entry: Sendable, Hashable {
        let facts: Facts

        init(_ facts: Facts) { self.facts = facts }

        static func == (left: Entry, right: Entry) -> Bool { left === right || left.facts == right.facts }

        func hash(into hasher: inout Hasher) { hasher.combine(facts) }
    }
}
