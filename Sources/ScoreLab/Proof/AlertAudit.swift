// The check of sent alerts is a value, so that a test can change it: a lost alert, another margin.

import MatchEngine
import MatchJournal

/// The alerts of a match held against the match as it stands in the end.
struct AlertAudit: Sendable {
    /// An alert as it was sent, or as the match has it now.
    struct Entry: Sendable, Hashable {
        /// The moment.
        let moment: Moment
        /// Where a wicket fell; nil for all else.
        let over: BowledOver?
    }

    /// A sent alert, and the same moment as the match has it now.
    struct Misstatement: Sendable, Hashable {
        /// Its index in `AlertAudit.announced`.
        let place: Int
        /// The sent moment.
        let announced: Moment
        /// The present moment.
        let now: Moment
    }

    /// In the order of their announcement.
    var announced: [Entry]
    /// Moments that were too old for an alert when they were first seen.
    var passedOver: [Moment]
    /// The alerts of the match as it is now.
    var current: [Entry]

    /// The sent alerts with their present moments; a later alert is paired before an earlier one of its identity.
    ///
    /// A wicket must be in the over in which it was sent, since nearly every batter is out in the end.
    private var paired: [(announced: Moment, now: Moment?)] {
        var left: [MomentIdentity: Entry] = [:]
        for entry in current { left[MomentIdentity(entry.moment)] = entry }
        return announced.reversed().map { entry in
            let identity = MomentIdentity(entry.moment)
            guard let now = left[identity], now.over == entry.over else { return (entry.moment, nil) }
            left[identity] = nil
            return (entry.moment, now.moment)
        }.reversed()
    }

    /// Sent alerts without a present moment of their own.
    var revoked: [Moment] { paired.filter { $0.now == nil }.map(\.announced) }

    /// Sent alerts whose present moment differs in dismissal, bowler, score or margin.
    var untrue: [Misstatement] {
        reworded.filter { $0.announced.statement != $0.now.statement }
    }

    /// Alerts that are worded otherwise now, and say the same but for what stands in parentheses: balls, overs, who
    /// threw.
    var inOtherWords: [Misstatement] {
        reworded.filter { $0.announced.statement == $0.now.statement }
    }

    private var reworded: [Misstatement] {
        paired.enumerated().compactMap { place, pair in
            guard let now = pair.now, pair.announced.title != now.title || pair.announced.body != now.body else {
                return nil
            }
            return Misstatement(place: place, announced: pair.announced, now: now)
        }
    }

    /// Alerts that were sent more than once: under the same key, or for the same ball.
    var repeated: [Moment] {
        var known: [MomentIdentity: [Moment]] = [:]
        return announced.map(\.moment).filter { moment in
            let earlier = known[MomentIdentity(moment)] ?? []
            known[MomentIdentity(moment)] = earlier + [moment]
            return earlier.contains { $0.key == moment.key || $0.delivery == moment.delivery }
        }
    }

    /// Alerts of the match that were neither sent nor too old.
    var unannounced: [Moment] {
        let known = Set((announced.map(\.moment) + passedOver).map(MomentIdentity.init))
        return current.map(\.moment).filter { !known.contains(MomentIdentity($0)) }
    }
}

/// Where a ball was bowled, whatever the provider calls it.
struct BowledOver: Sendable, Hashable {
    let innings: Int
    let over: Int

    init(_ ball: Delivery) { (innings, over) = (ball.innings, ball.over) }
}

extension Moment {
    /// Its text without the parts in parentheses, and without the spaces around them.
    var statement: String {
        var depth = 0
        let outside = "\(title): \(body)".filter { character in
            if character == "(" { depth += 1 }
            defer { if character == ")" { depth -= 1 } }
            return depth == 0
        }
        return outside.split(separator: " ").joined(separator: " ")
    }
}
