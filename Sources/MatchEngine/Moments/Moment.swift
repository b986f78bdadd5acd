// Something worth telling about a match, with the words to tell it and the key that keeps it from being told twice.

/// A moment of a match; the same record always yields the same moments.
public struct Moment: Sendable, Hashable {
    /// What happened, the lesser things first.
    ///
    /// The raw value is `event.kind` of the content state.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case four, six
        case lineups, toss, start, interval, delay, review, maiden, substitute, penaltyRuns
        case newBall, powerplayEnd, lastOver, oversLost, targetRevised
        case doubleWicketOver, onHatTrick, fiveSixes, wicketHaul, followOn
        case teamMilestone, partnership, resumption, fifty, sixSixes, tenInMatch, fiveWickets, hundred, wicket
        case hatTrick, fourInFour, inningsEnd, superOver, result

        /// Place among the kinds, the least first.
        var rank: Int { Self.ranks[self] ?? 0 }

        private static let ranks = Dictionary(uniqueKeysWithValues: zip(allCases, allCases.indices))
    }

    /// APNs priority.
    public enum Priority: Int, Sendable, Hashable, Codable, Comparable {
        case five = 5
        case ten = 10

        /// Orders by urgency.
        public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
    }

    /// The stable name: `w:<innings>:<n>`, `b50:<innings>:<player>`, `h3:<innings>:<player>`, `inn:<n>`, `res`.
    ///
    /// A milestone that a correction takes back and play reaches again bears the same name, so it is told once.
    public let key: MomentKey
    /// What happened.
    public let kind: Kind
    /// The person or side it is about; a moment of the same key is told again only for another subject.
    public let subject: String
    /// The ball that brought it; nil when no ball did.
    public let delivery: DeliveryKey?
    /// `InningsInfo.ordinal`; 0 when it belongs to the match as a whole.
    public let innings: Int
    /// The side that it is about, for those who follow one team; nil for both.
    public let side: Side?
    /// Title of the alert.
    public let title: String
    /// Body of the alert.
    public let body: String
    /// Urgency (PUBLICATION section 2).
    public let priority: Priority
    /// Relevance, 0 to 100 (PUBLICATION section 2).
    public let relevance: Int
    /// Whether it makes a sound when told.
    public let isAlert: Bool
    /// What the smallest drawing flashes: `W`, `50`, `100`.
    public let flash: String?
    /// Whether the feed itself or play proves it; a result that only the balls prove waits for the feed's word.
    public let isOfficial: Bool

    /// Makes a moment.
    public init(
        key: MomentKey,
        kind: Kind,
        subject: String,
        delivery: DeliveryKey? = nil,
        innings: Int = 0,
        side: Side? = nil,
        title: String,
        body: String,
        priority: Priority,
        relevance: Int,
        isAlert: Bool,
        flash: String? = nil,
        isOfficial: Bool = true
    ) {
        self.key = key
        self.kind = kind
        self.subject = subject
        self.delivery = delivery
        self.innings = innings
        self.side = side
        self.title = title
        self.body = body
        self.priority = priority
        self.relevance = relevance
        self.isAlert = isAlert
        self.flash = flash
        self.isOfficial = isOfficial
    }

    /// The one to tell when several happened at once: by relevance, then by kind, then the latest.
    public static func mostImportant(of moments: some Sequence<Moment>) -> Moment? {
        moments.reduce(nil) { best, moment in
            guard let best else { return moment }
            return moment.rank >= best.rank ? moment : best
        }
    }

    private var rank: Int { relevance * Kind.allCases.count + kind.rank }
}
