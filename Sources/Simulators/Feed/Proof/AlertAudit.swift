// A proof that judges what was told has to be a value that a test can spoil: a lost alert, another margin.

public import MatchEngine
internal import MatchJournal

/// The alerts of a match held against the match as it stands in the end.
public struct AlertAudit: Sendable {
    /// An alert as it was told, or as the match would tell it now.
    public struct Entry: Sendable, Hashable {
        /// What is told.
        public let moment: Moment
        /// Where a wicket fell; nil for all else.
        let over: BowledOver?

        init(_ moment: Moment, over: BowledOver?) {
            self.moment = moment
            self.over = over
        }
    }

    /// An alert that was told, and what the match says of the same happening now.
    public struct Misstatement: Sendable, Hashable {
        /// Its place in `AlertAudit.told`.
        public let place: Int
        /// As it was told.
        public let told: Moment
        /// As it stands.
        public let now: Moment
    }

    /// In the order of their announcement.
    public var told: [Entry]
    /// What was too old to be told when it was first seen.
    public var passedOver: [Moment]
    /// Of the match as it stands.
    public var standing: [Entry]

    /// What was told, with the entry that now stands for it; a later alert comes before an earlier one of its name.
    ///
    /// A wicket has to have fallen in the over in which it was told, since nearly everybody is out in the end.
    private var paired: [(told: Moment, now: Moment?)] {
        var left: [MomentIdentity: Entry] = [:]
        for entry in standing { left[MomentIdentity(entry.moment)] = entry }
        return told.reversed().map { entry in
            let identity = MomentIdentity(entry.moment)
            guard let now = left[identity], now.over == entry.over else { return (entry.moment, nil) }
            left[identity] = nil
            return (entry.moment, now.moment)
        }.reversed()
    }

    /// Alerts that were told although the match has no such moment, or has it for a later alert's sake.
    public var revoked: [Moment] { paired.filter { $0.now == nil }.map(\.told) }

    /// Alerts of something that has happened, and not as it was told: another dismissal, bowler, score or margin.
    public var untrue: [Misstatement] {
        reworded.filter { $0.told.statement != $0.now.statement }
    }

    /// Alerts that are worded otherwise now, and say the same but for what stands in parentheses: balls, overs, who
    /// threw.
    public var inOtherWords: [Misstatement] {
        reworded.filter { $0.told.statement == $0.now.statement }
    }

    private var reworded: [Misstatement] {
        paired.enumerated().compactMap { place, pair in
            guard let now = pair.now, pair.told.title != now.title || pair.told.body != now.body else { return nil }
            return Misstatement(place: place, told: pair.told, now: now)
        }
    }

    /// Alerts that were told more than once: under the same name, or for the same ball.
    public var repeated: [Moment] {
        var known: [MomentIdentity: [Moment]] = [:]
        return told.map(\.moment).filter { moment in
            let earlier = known[MomentIdentity(moment)] ?? []
            known[MomentIdentity(moment)] = earlier + [moment]
            return earlier.contains { $0.key == moment.key || $0.delivery == moment.delivery }
        }
    }

    /// Alerts of the match as it stands that nobody was told, although they were not passed over.
    public var untold: [Moment] {
        let known = Set((told.map(\.moment) + passedOver).map(MomentIdentity.init))
        return standing.map(\.moment).filter { !known.contains(MomentIdentity($0)) }
    }
}

/// Where a ball was bowled, whatever the provider calls it.
struct BowledOver: Sendable, Hashable {
    let innings: Int
    let over: Int

    init(_ ball: Delivery) { (innings, over) = (ball.innings, ball.over) }
}

extension Moment {
    /// What it asserts: its words without what stands in parentheses.
    public var statement: String {
        var depth = 0
        return String(
            "\(title): \(body)".filter { character in
                if character == "(" { depth += 1 }
                defer { if character == ")" { depth -= 1 } }
                return depth == 0
            }
        )
    }
}
