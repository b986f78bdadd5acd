// What is shouted in one format is a murmur in another; here is who decides, and what a configuration may change.

/// Which moments are told, and how loudly, by format (cricket.md C.12, PUBLICATION section 2).
public struct MomentPolicy: Sendable, Hashable {
    /// How a moment is told.
    public enum Voice: String, Sendable, Hashable, Codable, CaseIterable {
        /// Not at all: there is no such moment.
        case off
        /// It colours the content while its ball is the newest, and is gone with the next ball.
        ///
        /// Nothing waits for it, nothing is journalled for it: a T20 has forty boundaries.
        case flash
        /// It colours the content; priority 5, no sound, no confirmation.
        case quiet
        /// Confirmed and alerted at priority 5.
        case spoken
        /// Confirmed and alerted at priority 10.
        case loud

        /// APNs priority.
        public var priority: Moment.Priority { self == .loud ? .ten : .five }
        /// Whether it makes a sound.
        public var isAlert: Bool { self == .spoken || self == .loud }
    }

    /// What PUBLICATION section 2 asks for.
    public static let standard = MomentPolicy()

    private var voices: [Format: [Moment.Kind: Voice]] = [:]
    private var hauls: [Format: Int] = [:]
    private var centuryVoices: [Format: Century] = [:]

    private struct Century: Sendable, Hashable {
        var team = Voice.quiet
        var stand = Voice.quiet
    }

    /// Makes the standard policy, to be changed.
    public init() {}

    /// How a kind of moment is told in a format.
    ///
    /// Boundaries are never more than a flash: what has to be confirmed would cost a journal entry each.
    public subscript(kind: Moment.Kind, format: Format) -> Voice {
        get { voices[format]?[kind] ?? Self.standardVoice(of: kind, in: format) }
        set {
            let isFleeting = kind == .four || kind == .six
            voices[format, default: [:]][kind] = isFleeting && newValue != .off ? .flash : newValue
        }
    }

    /// How a side's hundred is told in a format; its other fifties are told as `teamMilestone`.
    public subscript(teamHundred format: Format) -> Voice {
        get { centuryVoices[format]?.team ?? self[.teamMilestone, format] }
        set {
            let stand = self[partnershipHundred: format]
            centuryVoices[format] = Century(team: newValue, stand: stand)
        }
    }

    /// How a stand of a hundred and every further hundred is told in a format.
    public subscript(partnershipHundred format: Format) -> Voice {
        get { centuryVoices[format]?.stand ?? self[.partnership, format] }
        set {
            let team = self[teamHundred: format]
            centuryVoices[format] = Century(team: team, stand: newValue)
        }
    }

    /// Wickets in an innings from which a bowler's haul is a moment: 3 in short formats, 4 in one-day ones, 5 in long.
    public subscript(smallestHaul format: Format) -> Int {
        get { hauls[format] ?? Self.standardHaul(in: format) }
        set { hauls[format] = max(2, newValue) }
    }

    private static func standardHaul(in format: Format) -> Int {
        switch format {
        case .test, .firstClass: 5
        case .odi, .listA: 4
        case .t20i, .t20, .t10, .hundred: 3
        }
    }

    private static func standardVoice(of kind: Moment.Kind, in format: Format) -> Voice {
        switch kind {
        case .wicket, .hundred, .fiveWickets, .hatTrick, .inningsEnd, .result, .superOver, .resumption: .loud
        case .fifty: format.isLimitedOvers ? .loud : .quiet
        case .four, .six: .flash
        default: .quiet
        }
    }
}

/// A policy as it holds in one match, laid out so that a ball costs no look into a dictionary.
struct MomentRules: Sendable, Hashable {
    private let voices: [MomentPolicy.Voice]
    let teamHundred: MomentPolicy.Voice
    let partnershipHundred: MomentPolicy.Voice
    let smallestHaul: Int

    init(_ policy: MomentPolicy, format: Format) {
        voices = Moment.Kind.allCases.map { policy[$0, format] }
        teamHundred = policy[teamHundred: format]
        partnershipHundred = policy[partnershipHundred: format]
        smallestHaul = policy[smallestHaul: format]
    }

    /// How a kind is told; nil when it is not told.
    func voice(of kind: Moment.Kind) -> MomentPolicy.Voice? {
        let voice = voices[kind.rank]
        return voice == .off ? nil : voice
    }
}

extension Moment {
    /// Makes a moment whose urgency a voice decides and whose relevance its kind.
    init(
        _ key: String,
        _ kind: Kind,
        _ voice: MomentPolicy.Voice,
        subject: String,
        delivery: DeliveryKey? = nil,
        innings: Int = 0,
        side: Side? = nil,
        title: String,
        body: String,
        flash: String? = nil,
        isOfficial: Bool = true
    ) {
        self.init(
            key: MomentKey(key),
            kind: kind,
            subject: subject,
            delivery: delivery,
            innings: innings,
            side: side,
            title: Clip.text(title, AlertText.titleMax),
            body: Clip.text(body, AlertText.bodyMax),
            priority: voice.priority,
            relevance: kind.relevance,
            isAlert: voice.isAlert,
            flash: flash,
            isOfficial: isOfficial
        )
    }
}

extension Moment.Kind {
    /// Relevance, 0 to 100: what PUBLICATION section 2 names, and the rest between them.
    var relevance: Int {
        switch self {
        case .result: 100
        case .wicket, .hundred, .fiveWickets, .hatTrick, .fourInFour, .tenInMatch, .sixSixes, .superOver: 90
        case .inningsEnd: 70
        case .fifty: 60
        case .teamMilestone, .partnership, .resumption, .wicketHaul, .followOn, .fiveSixes, .onHatTrick: 50
        case .doubleWicketOver, .targetRevised, .oversLost: 50
        case .lastOver, .powerplayEnd, .newBall, .substitute, .penaltyRuns, .review, .maiden, .start: 45
        case .four, .six: 40
        case .interval, .delay: 30
        case .toss, .lineups: 10
        }
    }
}
