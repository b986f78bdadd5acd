// Starting everybody at once would be a stampede of phones, so starts are spread, and made at most once.

internal import HTTP2
internal import ScoreTypes

/// Starts that wait for their moment, and those that were made.
struct StartSchedule {
    /// Starts that may wait on this node.
    static let waitingMax = 200_000
    /// Starts of one match that are remembered; the record of followers is the guard beyond it.
    static let madeMax = 200_000

    /// How long a start counts: after seven and a half hours the activity is started again, and so it is the next day.
    static let lifetime: Duration = .seconds(7 * 3600)

    /// A start with its encoded body.
    struct Planned: Sendable {
        let start: PushStart
        let match: MatchID
        let revision: Int64
        let body: BodyBytes
    }

    private struct Made: Hashable {
        let device: DeviceID
        let generation: Int32
    }

    private var waiting = DueHeap<Planned>(countMax: waitingMax)
    /// When each start is made, in domain time.
    private var made: [MatchID: [Made: Duration]] = [:]

    var count: Int { waiting.count }

    /// Plans starts evenly over a span from now, ignores repeated ones, and returns those that found no room.
    mutating func plan(_ starts: [Planned], at now: Duration, over span: Duration) -> [Planned] {
        var refused: [Planned] = []
        for (index, planned) in starts.enumerated() {
            let key = Made(device: planned.start.device, generation: planned.start.generation)
            if let earlier = made[planned.match]?[key], now - earlier < Self.lifetime { continue }
            let due = now + span * (Double(index) / Double(max(1, starts.count)))
            guard waiting.insert(planned, due: due) else {
                refused.append(planned)
                continue
            }
            if made[planned.match]?.count ?? 0 < Self.madeMax { made[planned.match, default: [:]][key] = due }
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
        made[match]?[Made(device: device, generation: generation)] = nil
    }

    /// Forgets a match that is over.
    mutating func forget(_ match: MatchID) {
        made[match] = nil
        for (planned, due) in waiting.removeAllWithDue() where planned.match != match {
            _ = waiting.insert(planned, due: due)
        }
    }
}
