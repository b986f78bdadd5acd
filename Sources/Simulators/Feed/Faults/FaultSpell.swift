// A feed that is down is down for minutes: what clients do about it shows only when failures come in a row.

internal import ScoreTypes

/// A time in which the same is wrong with every reply.
struct FaultSpell: Sendable, Hashable {
    /// Every so long there may be one spell, in feed time; two of a T20's innings fit some seven.
    static let every: Duration = .seconds(1_200)
    /// One of so many of those times has a spell.
    static let oneIn = 2
    /// How long a spell lasts: from a single failed poll to the ten minutes of line F1 of the fault catalogue.
    static let lengths: ClosedRange<Duration> = .seconds(10)...(.seconds(600))

    /// The fault.
    let fault: ReplyFault
    /// When it begins, since the feed was opened.
    let from: Duration
    /// When all is well again.
    let until: Duration

    /// Whether it is on at a time.
    func holds(at time: Duration) -> Bool { time >= from && time < until }
}

extension FaultPlan {
    /// The spell of an interval of `FaultSpell.every`, counted from 0 when the feed is opened; nil when all is well.
    ///
    /// It ends before the next interval.
    func spell(_ number: Int) -> FaultSpell? {
        var draw = SeededDraw(seed: seed, purpose: 6, number: number)
        let wanted = FeedFault.allCases.filter { $0.comesInSpells && faults.contains($0) }
        guard draw.oneIn(FaultSpell.oneIn), let fault = wanted.randomElement(using: &draw) else { return nil }
        let lasts = draw.duration(FaultSpell.lengths)
        let from = FaultSpell.every * number + draw.duration(.zero...(FaultSpell.every - lasts))
        return FaultSpell(fault: ReplyFault(fault, &draw), from: from, until: from + lasts)
    }

    /// The fault of every reply at a time in the feed; nil outside of a spell.
    func spell(at time: Duration) -> ReplyFault? {
        let number = Int(time.milliseconds / FaultSpell.every.milliseconds)
        return spell(number).flatMap { $0.holds(at: time) ? $0.fault : nil }
    }
}
