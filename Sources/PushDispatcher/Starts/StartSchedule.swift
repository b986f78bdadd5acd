// Starting everybody at once would be a stampede of phones, so starts are spread, and made at most once.

internal import HTTP2
internal import ScoreTypes

/// Starts that wait for their moment, and those that were made.
struct StartSchedule {
    /// Starts that may wait on this node.
    static let waitingMax = 200_000
    /// Starts of one match that are remembered; the record of followers is the guard beyond it.
    static let madeMax = 200_000

    /// A start with its encoded body.
    struct Planned: Sendable {
        let start: PushStart
        let match: MatchID
        let revision: Int64
        let body: SharedBytes
    }

    private struct Made: Hashable {
        let device: DeviceID
        let generation: Int32
    }

    private var waiting = DueHeap<Planned>(countMax: waitingMax)
    private var made: [MatchID: Set<Made>] = [:]

    var count: Int { waiting.count }

    /// Plans starts evenly over a span from now, ignores repeated ones, and returns those that found no room.
    mutating func plan(_ starts: [Planned], at now: Duration, over span: Duration) -> [Planned] {
        var refused: [Planned] = []
        for (index, planned) in starts.enumerated() {
            let key = Made(device: planned.start.device, generation: planned.start.generation)
            guard made[planned.match]?.contains(key) != true else { continue }
            let due = now + span * (Double(index) / Double(max(1, starts.count)))
            guard waiting.insert(planned, due: due) else {
                refused.append(planned)
                continue
            }
            if made[planned.match, default: []].count < Self.madeMax { made[planned.match, default: []].insert(key) }
        }
        return refused
    }

    /// The starts to make now.
    mutating func due(at now: Duration) -> [Planned] {
        var planned: [Planned] = []
        while let next = waiting.popDue(at: now) { planned.append(next) }
        return planned
    }

    /// A start certainly did not happen: the next look at the followers may plan it again.
    mutating func failed(_ device: DeviceID, _ generation: Int32, of match: MatchID) {
        made[match]?.remove(Made(device: device, generation: generation))
    }

    /// Forgets a match that is over.
    mutating func forget(_ match: MatchID) {
        made[match] = nil
        for (planned, due) in waiting.removeAllWithDue() where planned.match != match {
            _ = waiting.insert(planned, due: due)
        }
    }
}
