// An event worth an alert, with its text and the key that prevents a second announcement.

public import LiveSurface

/// A moment of a match; the same record always yields the same moments.
///
/// A class, since a Test has hundreds of moments, and lists of them are copied with every ball.
public final class Moment: Sendable, Hashable {
    /// The kinds of moments, in order of increasing importance.
    ///
    /// The raw value is `event.kind` of the content state.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case four, six
        case lineups, toss, start, interval, delay, review, maiden, substitute, penaltyRuns
        case newBall, powerplayEnd, lastOver, oversLost, targetRevised
        case doubleWicketOver, onHatTrick, fiveSixes, wicketHaul, followOn
        case teamMilestone, partnership, resumption, fifty, sixSixes, tenInMatch, fiveWickets, hundred, wicket
        case hatTrick, fourInFour, inningsEnd, superOver, result

        /// Position among the kinds, from 0.
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
    /// A milestone that a correction removes and play reaches again has the same name, so it is announced once.
    public let key: MomentKey
    /// The kind of moment.
    public let kind: Kind
    /// The player or side concerned; a moment of the same key is announced again only for another subject.
    public let subject: String
    /// The ball that caused it; nil when no ball did.
    public let delivery: DeliveryKey?
    /// `InningsInfo.ordinal`; 0 when it belongs to the match as a whole.
    public let innings: Int
    /// The side concerned, for followers of one team; nil for both.
    public let side: Side?
    /// Title and body before they are cut; few of the hundreds of moments of a fold are read as text.
    private let texts: (title: NotificationText, body: NotificationText)
    private let level: MomentPolicy.Level
    /// Text that the smallest presentation flashes: `W`, `50`, `100`.
    public let flash: String?
    /// Whether the feed states it or play proves it.
    ///
    /// A result that only the balls prove waits for the feed's statement; an innings that a status ended before the
    /// tenth wicket waits for a ball that may still be due.
    public let isOfficial: Bool

    /// Makes a moment; title and body are shown in English and cut to the length of an alert.
    public init(
        _ key: String,
        _ kind: Kind,
        _ level: MomentPolicy.Level,
        subject: String,
        delivery: DeliveryKey? = nil,
        innings: Int = 0,
        side: Side? = nil,
        title: NotificationText,
        body: NotificationText,
        flash: String? = nil,
        isOfficial: Bool = true
    ) {
        self.key = MomentKey(key)
        self.kind = kind
        self.level = level
        self.subject = subject
        self.delivery = delivery
        self.innings = innings
        self.side = side
        texts = (title, body)
        self.flash = flash
        self.isOfficial = isOfficial
    }

    /// The moment with another title and body.
    func saying(_ title: NotificationText, _ body: NotificationText) -> Moment {
        Moment(
            key.text,
            kind,
            level,
            subject: subject,
            delivery: delivery,
            innings: innings,
            side: side,
            title: title,
            body: body,
            flash: flash,
            isOfficial: isOfficial
        )
    }

    /// Title of the alert.
    public var title: String { Clip.text(texts.title.english, EngineLimits.Alert.title) }
    /// Body of the alert.
    public var body: String { Clip.text(texts.body.english, EngineLimits.Alert.body) }
    /// Title and body as keys of the app's table; a text without a key, or one that was cut, is literal.
    var keyed: (title: NotificationText, body: NotificationText) {
        let (title, body) = (title, body)
        return (
            title == texts.title.english ? texts.title : .literal(title),
            body == texts.body.english ? texts.body : .literal(body)
        )
    }

    /// Urgency (PUBLICATION section 2).
    public var priority: Priority { level.priority }
    /// Relevance, 0 to 100 (PUBLICATION section 2).
    public var relevance: Int { kind.relevance }
    /// Whether the alert makes a sound.
    public var isAlert: Bool { level.isAlert }

    /// The moment to announce when several happened at once: by relevance, then by kind, then the latest.
    ///
    /// - Parameter moments: Moments in match order.
    /// - Returns: nil when there are none.
    public static func mostImportant(of moments: some Sequence<Moment>) -> Moment? {
        moments.reduce(nil) { best, moment in
            guard let best else { return moment }
            return moment.importance >= best.importance ? moment : best
        }
    }

    /// Orders moments that happened at once: by relevance, then by kind.
    public var importance: Int { relevance * Kind.allCases.count + kind.rank }

    /// Whether both are equal in all respects; fast for one and the same.
    public static func == (left: Moment, right: Moment) -> Bool {
        left === right
            || left.key == right.key && left.kind == right.kind && left.subject == right.subject
                && left.delivery == right.delivery && left.innings == right.innings && left.side == right.side
                && left.texts == right.texts && left.level == right.level
                && left.flash == right.flash && left.isOfficial == right.isOfficial
    }

    /// Hashes the event; equal moments have the same key and subject.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(subject)
    }
}
