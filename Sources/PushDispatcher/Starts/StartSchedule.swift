// Starting everybody at once would be a stampede of phones, so starts are spread.

internal import HTTP2
internal import ScoreTypes

/// Starts that wait for their moment; that none is made twice is the record of followers' business.
struct StartSchedule {
    /// A start with its encoded body.
    struct Planned: Sendable {
        let start: PushStart
        let match: MatchID
        let revision: Int64
        let body: BodyBytes
    }

    private var waiting = DueHeap<Planned>(countMax: PushLimits.startsWaiting)

    var count: Int { waiting.count }

    /// Plans starts evenly over a span from now, and returns those that found no room.
    mutating func plan(_ starts: [Planned], at now: Duration, over span: Duration) -> [Planned] {
        var refused: [Planned] = []
        for (index, planned) in starts.enumerated() {
            let due = now + span * (Double(index) / Double(max(1, starts.count)))
            if !waiting.insert(planned, due: due) { refused.append(planned) }
        }
        return refused
    }

    /// The starts to make now.
    mutating func due(at now: Duration) -> [Planned] {
        var planned: [Planned] = []
        while let next = waiting.popDue(at: now) { planned.append(next) }
        return planned
    }

    /// Forgets a match that is over.
    mutating func forget(_ match: MatchID) {
        for (planned, due) in waiting.removeAllWithDue() where planned.match != match {
            _ = waiting.insert(planned, due: due)
        }
    }
}
