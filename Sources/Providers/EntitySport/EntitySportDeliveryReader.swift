// A ball is identified by innings, over, label and occurrence on that label.

internal import MatchEngine

/// Reads the events of one innings.
struct EntitySportDeliveryReader {
    private let people: EntitySportPeople
    /// The ordinal of the innings.
    private let innings: Int
    private let dismissals: EntitySportDismissals
    private var crease: EntitySportCrease
    private var found: [Delivery] = []
    private var seen: [BallLabel: Int] = [:]
    private var last: BallLabel?
    /// Whether the balls have their runs by kind, as in newer replies.
    private var partsRuns = false
    /// Dismissals before the first ball; they are added to the first ball.
    private var early: [Dismissal] = []

    /// The balls, in order.
    static func deliveries(
        of commentary: EntitySportCommentary,
        innings: Int,
        _ people: EntitySportPeople
    ) throws(AdapterError) -> [Delivery] {
        let events = commentary.commentaries
        try AdapterError.check(events, atMost: AdapterLimits.events, at: "commentaries")
        var reader = EntitySportDeliveryReader(
            people: people,
            innings: innings,
            dismissals: EntitySportDismissals(people: people, inning: commentary.inning),
            crease: EntitySportCrease(commentary.inning)
        )
        reader.found.reserveCapacity(events.count)
        reader.seen.reserveCapacity(events.count)
        for index in oldestFirst(events) { try reader.take(events[index]) { "commentaries[\(index)]" } }
        return reader.found.sorted { $0.order < $1.order }
    }

    /// Some replies list the newest event first.
    private static func oldestFirst(_ events: [EntitySportCommentary.Event]) -> [Int] {
        let places = events.lazy.compactMap(\.place)
        guard let first = places.first, let last = places.last, last < first else { return Array(events.indices) }
        return events.indices.reversed()
    }

    private mutating func take(_ event: EntitySportCommentary.Event, at path: () -> String) throws(AdapterError) {
        switch event.event {
        case "ball", "wicket": break
        case "overend": return
        default: throw .unknownWord(path: "\(path()).event", word: event.event)
        }
        let dismissal =
            event.event == "wicket" ? try dismissals.dismissal(event, at: path) : nil
        let label = try label(of: event, at: path)
        if let dismissal, isNoBall(event, dismissal, label) {
            leave(dismissal)
        } else {
            try bowl(event, label: label, dismissal: dismissal, at: path)
        }
    }

    /// Whether an event reports a dismissal without a ball: a second wicket on a legal ball repeats its label,
    /// which no further ball can have, and where balls have runs by kind an event without them is no ball.
    private func isNoBall(
        _ event: EntitySportCommentary.Event,
        _ dismissal: Dismissal,
        _ label: BallLabel
    ) -> Bool {
        if dismissal.kind.needsNoBall { return true }
        guard label == last, let ball = found.last else { return false }
        return ball.isLegal || partsRuns && event.batRun == nil
    }

    private mutating func leave(_ dismissal: Dismissal) {
        if found.isEmpty {
            early.append(dismissal)
        } else {
            found[found.count - 1].dismissals.append(dismissal)
        }
        if let id = Int(dismissal.out.id) { crease.leaves(id) }
    }

    private mutating func bowl(
        _ event: EntitySportCommentary.Event,
        label: BallLabel,
        dismissal: Dismissal?,
        at path: () -> String
    ) throws(AdapterError) {
        guard let striker = event.batsmanId?.whole else { throw .missing(path: "\(path()).batsman_id") }
        guard let bowler = event.bowlerId?.whole else { throw .missing(path: "\(path()).bowler_id") }
        let attempt = seen[label, default: 0] + 1
        seen[label] = attempt
        last = label
        partsRuns = partsRuns || event.batRun != nil
        let partner = partner(of: striker, event)
        let runs = try EntitySportRuns(event, at: path)
        var dismissed = early
        if let dismissal { dismissed.append(dismissal) }
        early.removeAll()
        found.append(
            Delivery(
                key: DeliveryKey(dotted: innings, label.over, label.ball, attempt),
                order: Self.order(innings, label, attempt),
                innings: innings,
                over: label.over,
                striker: people.player(striker),
                nonStriker: partner.map { people.player($0) } ?? Player(id: "", name: ""),
                bowler: people.player(bowler),
                runs: runs.runs,
                isLegal: runs.isLegal,
                isAllRun: runs.isAllRun,
                dismissals: dismissed,
                occurredAt: event.timestamp?.whole.map(Int64.init)
            )
        )
        for dismissal in dismissed { if let id = Int(dismissal.out.id) { crease.leaves(id) } }
    }

    private mutating func partner(of striker: Int, _ event: EntitySportCommentary.Event) -> Int? {
        let reported = (event.batsmen ?? []).lazy.compactMap { $0.batsmanId?.whole }
        if reported.count == 2, let other = reported.first(where: { $0 != striker }), reported.contains(striker) {
            crease.place(striker, other)
            return other
        }
        return crease.partner(of: striker)
    }

    private func label(
        of event: EntitySportCommentary.Event,
        at path: () -> String
    ) throws(AdapterError) -> BallLabel {
        guard let label = event.place else {
            throw .outOfRange(path: "\(path()).over", expected: "an over from 0 and a ball from 1")
        }
        return label
    }

    /// Unique for up to a thousand labels in an over and a thousand balls on a label.
    private static func order(_ innings: Int, _ label: BallLabel, _ attempt: Int) -> OrderKey {
        OrderKey(
            Int64(innings) << 40 | Int64(label.over) << 20 | Int64(label.ball) << 10 | Int64(min(attempt, 1_023))
        )
    }
}

extension EntitySportCommentary.Event {
    /// The label; nil for an event without a valid one.
    fileprivate var place: BallLabel? {
        guard event != "overend", let over = over?.whole, let ball = ball?.whole,
            (0...AdapterLimits.overs).contains(over), (0...AdapterLimits.label).contains(ball)
        else { return nil }
        return BallLabel(over: over, ball: ball)
    }
}
