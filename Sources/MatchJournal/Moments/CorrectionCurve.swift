// The wait for an alert follows from how long a feed leaves its mistakes, and not from one number for all feeds.

/// How many moments of one class a feed reported, and for how long it left the wrong ones.
///
/// An alert that waits `w` seconds is false when a reply of that age, or a later one, still shows the mistake. So a
/// mistake counts with the age of the last reply that had it.
public struct CorrectionCurve: Sendable, Hashable, Codable {
    /// Moments that were reported; each version of a moment counts.
    public private(set) var reported: Int
    /// Mistakes by the age in whole seconds at which they were last reported, from 0 to the bound less one.
    public private(set) var wrong: [Int]
    /// Mistakes that stood for longer than any alert waits; no wait avoids them.
    public private(set) var late: Int

    /// Seconds that an alert waits at most.
    public static let bound = Int(JournalLimits.confirmationBound.components.seconds)

    /// Begins with counts; by default with none.
    ///
    /// - Parameters:
    ///   - reported: Moments.
    ///   - wrong: Mistakes by second; missing seconds count as 0, and those from the bound on as late.
    ///   - late: Later mistakes.
    public init(reported: Int = 0, wrong: [Int] = [], late: Int = 0) {
        self.reported = reported
        self.wrong = Array((wrong + Array(repeating: 0, count: Self.bound)).prefix(Self.bound))
        self.late = late + wrong.dropFirst(Self.bound).reduce(0, +)
    }

    /// Whether nothing was counted.
    public var isEmpty: Bool { reported == 0 && late == 0 && wrong.allSatisfy { $0 == 0 } }

    /// Counts a reported moment.
    mutating func addReported() { reported += 1 }

    /// Counts a mistake that was last reported at an age in seconds.
    mutating func addWrong(lastReportedAt age: Int) {
        if wrong.indices.contains(age) { wrong[age] += 1 } else if age >= 0 { late += 1 }
    }

    /// Adds other counts; old ones fade out once there are more than `JournalLimits.curveMoments`.
    mutating func add(_ other: CorrectionCurve) {
        reported += other.reported
        for index in wrong.indices { wrong[index] += other.wrong[index] }
        late += other.late
        guard reported > JournalLimits.curveMoments else { return }
        self = CorrectionCurve(reported: reported / 2, wrong: wrong.map { $0 / 2 }, late: late / 2)
    }

    /// The expected share of false alerts after a wait in seconds, among those that a wait can avoid.
    ///
    /// A new feed is expected to be like the measured one (cricket.md B.2): `JournalLimits.expectedWrong` of its
    /// moments are wrong for up to ten seconds. That expectation weighs as much as the moments of one permitted false
    /// alert, so that one odd match changes nothing.
    public func falseShare(after wait: Int, target: Double) -> Double {
        let weight = 1 / target
        let (share, span) = (JournalLimits.expectedWrong, Double(JournalLimits.expectedWrongSeconds))
        let expected = weight * share * max(0, span - Double(wait)) / span
        let counted = wrong.dropFirst(max(0, wait)).reduce(0, +)
        return (expected + Double(counted)) / (weight + Double(reported))
    }

    /// The shortest wait in seconds that keeps the share of false alerts at a target; the bound when none does.
    public func wait(target: Double) -> Int {
        let shortest = JournalLimits.confirmationShortest
        return (shortest..<Self.bound).first { falseShare(after: $0, target: target) <= target } ?? Self.bound
    }

    /// The share of alerts that are false after any wait, since their mistakes stand for longer than the bound.
    public func lateShare(target: Double) -> Double { Double(late) / (1 / target + Double(reported)) }

    /// Whether even the longest wait misses the target.
    public func missesTarget(_ target: Double) -> Bool {
        falseShare(after: Self.bound - 1, target: target) + lateShare(target: target) > target
    }
}
