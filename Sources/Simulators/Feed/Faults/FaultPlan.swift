// All faults and their times are drawn in advance, as a value; the feed only applies them.

/// The misbehaviour of one feed, all of it drawn from a seed.
public struct FaultPlan: Sendable {
    /// The median time between a ball and its publication, as a public project measured it (cricket.md B.2).
    static let latency: Duration = .milliseconds(5_600)
    /// One ball in so many is wrong at first.
    static let wrongEvery = 7
    /// One ball in so many is late, deleted, or given another id, each independently.
    static let rareEvery = 40
    /// One ball in so many is followed by a time in which the newest balls are gone.
    static let fallEvery = 120
    /// One reply in so many is spoilt, each for itself.
    static let replyEvery = 8
    /// A feed's clock is wrong by so much.
    static let skew: Duration = .seconds(3_600)

    /// The seed of all draws.
    public let seed: UInt64
    /// The faults that may occur.
    let faults: Set<FeedFault>

    private static let replyFaults = FeedFault.allCases.filter {
        !$0.isOfBalls && !$0.comesInSpells && $0 != .skewedClock
    }

    /// Describes the misbehaviour; without faults a feed only takes its time.
    public init(seed: UInt64 = 0, faults: Set<FeedFault> = []) {
        self.seed = seed
        self.faults = faults
    }

    /// By how much the feed's clock is wrong.
    public var clockSkew: Duration {
        guard faults.contains(.skewedClock) else { return .zero }
        var draw = SeededDraw(seed: seed, purpose: 1, number: 0)
        return Bool.random(using: &draw) ? Self.skew : .zero - Self.skew
    }

    // MARK: Balls

    /// Draws the faults of all balls of a match.
    func fates(of count: Int) -> [BallFate] {
        var fates = (0..<count).map(fate)
        for ball in 0..<count { takeAwayBalls(before: ball, &fates) }
        return fates
    }

    private func fate(of ball: Int) -> BallFate {
        var draw = SeededDraw(seed: seed, purpose: 2, number: ball)
        var fate = BallFate(postedAfter: draw.delay(median: Self.latency))
        let isLate = draw.oneIn(Self.rareEvery)
        let lateBy = draw.duration(.seconds(10)...(.seconds(30)))
        if faults.contains(.late), isLate { fate.postedAfter += lateBy }
        let isInserted = draw.oneIn(Self.rareEvery)
        let insertedAfter = draw.duration(.seconds(45)...(.seconds(120)))
        if faults.contains(.inserted), isInserted { fate.postedAfter += insertedAfter }
        let isWrong = draw.oneIn(Self.wrongEvery)
        let kind = WrongBall.drawn(&draw)
        let standsFor = draw.duration(.seconds(1)...SimulatorLimits.correction)
        if faults.contains(.wrongFirst), isWrong {
            fate.wrong = kind
            fate.correctedAfter = fate.postedAfter + standsFor
        }
        let isDeleted = draw.oneIn(Self.rareEvery)
        let deletedAfter = draw.duration(.seconds(5)...(.seconds(90)))
        let isGoneFor = draw.duration(.seconds(3)...(.seconds(40)))
        if faults.contains(.deleted), isDeleted {
            let from = fate.postedAfter + deletedAfter
            fate.absence = BallFate.Absence(from: from, until: from + isGoneFor)
            fate.rekeyedAfter = from + isGoneFor
        }
        let isRekeyed = draw.oneIn(Self.rareEvery)
        let rekeyedAfter = draw.duration(.seconds(5)...(.seconds(90)))
        if faults.contains(.rekeyed), isRekeyed, fate.rekeyedAfter == nil {
            fate.rekeyedAfter = fate.postedAfter + rekeyedAfter
        }
        let contradicts = draw.oneIn(Self.rareEvery)
        if faults.contains(.disagree), contradicts { (fate.wrong, fate.correctedAfter) = (.otherRuns, nil) }
        return fate
    }

    /// Removes the newest balls for a while after a ball was published.
    private func takeAwayBalls(before ball: Int, _ fates: inout [BallFate]) {
        var draw = SeededDraw(seed: seed, purpose: 3, number: ball)
        guard draw.oneIn(Self.fallEvery) else { return }
        let isMass = faults.contains(.massVanish) && (Bool.random(using: &draw) || !faults.contains(.scoreFell))
        guard isMass || faults.contains(.scoreFell) else { return }
        let depth = Int.random(in: isMass ? 4...8 : 1...3, using: &draw)
        let after = draw.duration(.seconds(5)...(.seconds(25)))
        let lasts = draw.duration(.seconds(3)...(.seconds(25)))
        for (back, index) in (max(0, ball - depth + 1)...ball).reversed().enumerated() {
            // Counted from when that ball was bowled, so that all of them are gone at the same time.
            let from = FeedPace.ball * back + fates[ball].postedAfter + after
            guard fates[index].absence == nil else { continue }
            fates[index].absence = BallFate.Absence(from: from, until: from + lasts)
        }
    }

    // MARK: Replies

    /// The fault of a reply, counted from 0; nil for a reply that is as it should be.
    func reply(_ number: Int) -> ReplyFault? {
        var draw = SeededDraw(seed: seed, purpose: 4, number: number)
        let wanted = Self.replyFaults.filter(faults.contains)
        guard draw.oneIn(Self.replyEvery), let fault = wanted.randomElement(using: &draw) else { return nil }
        return ReplyFault(fault, &draw)
    }
}
