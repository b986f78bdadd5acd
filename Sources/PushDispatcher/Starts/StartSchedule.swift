// Starting all activities at once would make all phones call the server at once, so starts are spread.

internal import HTTP2
internal import ScoreTypes

/// Planned starts; the caller ensures that no device is started twice.
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

    /// Plans starts evenly over a span of domain time; returns those beyond `PushLimits.startsWaiting`.
    mutating func plan(_ starts: [Planned], at now: Duration, over span: Duration) -> [Planned] {
        var refused: [Planned] = []
        for (index, planned) in starts.enumerated() {
            let due = now + span * (Double(index) / Double(max(1, starts.count)))
            if !waiting.insert(planned, due: due) { refused.append(planned) }
        }
        return refused
    }

    /// Removes and returns the starts that are due.
    mutating func due(at now: Duration) -> [Planned] { waiting.popAllDue(at: now) }

    /// Removes and returns all starts.
    mutating func removeAll() -> [Planned] { waiting.removeAll() }

    /// Removes the starts of a finished match.
    mutating func forget(_ match: MatchID) { waiting.removeAll { $0.match == match } }
}
