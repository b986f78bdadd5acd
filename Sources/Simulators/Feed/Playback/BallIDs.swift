// A provider numbers balls as they are put in, and not as they are bowled (cricket.md B.1: ids grow).

/// The ids of a match's balls.
struct BallIDs: Sendable {
    private var first: [Int64] = []
    private var again: [Int64] = []

    /// Numbers all tellings of a match in the order of their times.
    init(_ times: [Duration], _ fates: [BallFate]) {
        var postings: [(at: Duration, ball: Int, isAgain: Bool)] = []
        for (ball, (bowled, fate)) in zip(times, fates).enumerated() {
            postings.append((bowled + fate.postedAfter, ball, false))
            if let rekeyed = fate.rekeyedAfter { postings.append((bowled + rekeyed, ball, true)) }
        }
        first = Array(repeating: 0, count: times.count)
        again = first
        let inOrder = postings.sorted { ($0.at, $0.ball) < ($1.at, $1.ball) }
        for (number, posting) in inOrder.enumerated() {
            let id = Int64(number + 1)
            if posting.isAgain { again[posting.ball] = id } else { first[posting.ball] = id }
        }
    }

    /// The id of a ball at a time after it was bowled.
    func id(of ball: Int, _ fate: BallFate, since: Duration) -> Int64 {
        let isAgain = fate.rekeyedAfter.map { since >= $0 } ?? false
        return isAgain ? again[ball] : first[ball]
    }
}
