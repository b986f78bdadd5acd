// Splits a finished match into the steps in which it was played, for following it ball by ball.

/// The steps of a match: its facts, each ball, each end of an innings, the result.
public struct MatchTimeline: Sendable {
    /// Journal entries of each step, in order; applying all of them gives the match.
    public let steps: [[Change]]

    /// Splits a snapshot of a match that is over.
    ///
    /// - Parameter snapshot: The whole match, deliveries in order.
    public init(_ snapshot: MatchSnapshot) {
        var steps: [[Change]] = [[.info(snapshot.info), .status(StatusReport(status: .scheduled))]]
        if snapshot.info.toss != nil { steps.append([.status(StatusReport(status: .toss))]) }
        let balls = Dictionary(grouping: snapshot.deliveries, by: \.innings)
        for (index, frame) in snapshot.innings.enumerated() {
            let isLast = index == snapshot.innings.count - 1
            let word: MatchStatus = frame.superOver == nil ? .live : .superOver
            steps.append([.innings(Self.opened(frame)), .status(StatusReport(status: word))])
            steps += (balls[frame.ordinal] ?? []).map { [.inserted($0)] }
            var end: [Change] = Self.opened(frame) == frame ? [] : [.innings(frame)]
            if !isLast {
                let isBeforeSuperOver = snapshot.innings[index + 1].superOver != nil
                end.append(.status(StatusReport(status: isBeforeSuperOver ? .superOverBreak : .inningsBreak)))
            }
            if !end.isEmpty { steps.append(end) }
        }
        steps.append([.status(snapshot.status)] + (snapshot.result.map { [.result($0)] } ?? []))
        self.steps = steps
    }

    /// The facts of an innings as they are known when it begins.
    private static func opened(_ frame: InningsInfo) -> InningsInfo {
        var frame = frame
        frame.isDeclared = false
        frame.isClosed = false
        frame.absent = []
        frame.penaltyAfter = 0
        return frame
    }
}
