// Record and folded state kept together: a change refolds what it touches, a new ball costs one step.

/// A match that follows its journal.
public struct MatchReplica: Sendable {
    /// What the journal has told.
    public private(set) var record = MatchRecord()
    /// What it means.
    public private(set) var state: MatchState
    /// Beside `record.innings`.
    private var folds: [InningsFold] = []
    private var context: FoldContext
    private let options: EngineOptions
    private var course = MomentCourse()

    /// Starts with nothing known; `options` say how the match is told.
    public init(options: EngineOptions = EngineOptions()) {
        self.options = options
        context = FoldContext(Self.unknown, options: options)
        state = MatchState(context)
    }

    /// Takes up a match whose record was kept; folds it once.
    public init(_ record: MatchRecord, options: EngineOptions = EngineOptions()) {
        self.init(options: options)
        self.record = record
        var touched = Touched()
        touched.everything = true
        refold(touched)
        course.follow(record, context, isReframed: true)
        state = MatchAssembly(record: record, cards: folds.map(\.card), context: context, course: course).state
    }

    /// Folds a match from one snapshot.
    ///
    /// - Parameters:
    ///   - snapshot: The whole match.
    ///   - options: The wording of states and moments.
    public init(_ snapshot: MatchSnapshot, options: EngineOptions = EngineOptions()) {
        self.init(options: options)
        apply(Differ.changes(from: MatchRecord(), to: snapshot))
    }

    /// Applies one journal entry.
    public mutating func apply(_ change: Change) { apply(CollectionOfOne(change)) }

    /// Applies journal entries in order and folds once.
    public mutating func apply(_ changes: some Sequence<Change>) { apply(all: Array(changes)) }

    /// Changes in one batch from which on room is made beforehand: a match being read, not one being played.
    private static let manyBalls = 64

    private mutating func apply(all changes: [Change]) {
        // The folds own their cards alone while they grow: what the old state still holds would be copied first.
        state = MatchState(context)
        if changes.count >= Self.manyBalls { record.reserve(changes.count) }
        var touched = Touched()
        for change in changes {
            let effect = isFrameOnly(change) ? reframe(change, &touched) : record.take(change)
            touched.add(effect)
        }
        refold(touched)
        course.follow(record, context, isReframed: touched.everything)
        state = MatchAssembly(record: record, cards: folds.map(\.card), context: context, course: course).state
    }

    /// What is folded with before the first reply.
    private static let unknown = MatchInfo(format: .t20, teams: [])

    /// Whether a change gives an innings that is known a frame by which its balls fold as before.
    private func isFrameOnly(_ change: Change) -> Bool {
        guard case .innings(let facts) = change, let old = record.innings.first(where: { $0.ordinal == facts.ordinal })
        else { return false }
        return !facts.foldsOtherwise(than: old)
    }

    private mutating func reframe(_ change: Change, _ touched: inout Touched) -> MatchRecord.Effect {
        if case .frame(let ordinal) = record.take(change) { touched.reframed.insert(ordinal) }
        return .none
    }

    private mutating func refold(_ touched: Touched) {
        if touched.everything { context = FoldContext(record.info ?? Self.unknown, options: options) }
        if touched.everything || !touched.refold.isEmpty { alignFolds() }
        var hasChanged = touched.refold.contains { ordinal in !record.innings.contains { $0.ordinal == ordinal } }
        for (index, info) in record.innings.enumerated() {
            if touched.reframed.contains(info.ordinal) { folds[index].card.info = info }
            let isTouched = touched.everything || touched.refold.contains(info.ordinal)
            // What players bring is worked out only where an earlier innings may have changed it.
            let isKept = !isTouched && !hasChanged
            let brought =
                isKept ? folds[index].streaksBefore : index == 0 ? [:] : folds[index - 1].streaksAfter
            if isTouched || !isKept && folds[index].streaksBefore != brought {
                folds[index] = folded(info, streaks: brought)
                hasChanged = true
            } else if touched.grown.contains(info.ordinal) {
                grow(index)
                hasChanged = true
            }
        }
    }

    /// Brings `folds` beside `record.innings` again; a new innings begins with an empty fold.
    private mutating func alignFolds() {
        let known = folds.map(\.card.info.ordinal)
        guard known != record.innings.map(\.ordinal) else { return }
        let old = folds
        folds = record.innings.map { info in
            old.first { $0.card.info.ordinal == info.ordinal } ?? InningsFold(info, streaks: [:], context: context)
        }
    }

    private func folded(_ info: InningsInfo, streaks: Streaks) -> InningsFold {
        var fold = InningsFold(info, streaks: streaks, context: context)
        record.deliveries.withUnsafeBufferPointer { deliveries in
            guard var ball = deliveries.baseAddress else { return }
            let end = ball + deliveries.count
            while ball < end {
                if ball.pointee.innings == info.ordinal { fold.add(DeliveryInPlace(at: ball), context: context) }
                ball += 1
            }
        }
        return fold
    }

    /// Adds the balls behind the last one folded.
    private mutating func grow(_ index: Int) {
        let ordinal = folds[index].card.info.ordinal
        let start = folds[index].card.lastBall.map { record.firstIndex(after: folds[index].lastOrder, $0) } ?? 0
        record.deliveries.withUnsafeBufferPointer { deliveries in
            guard let first = deliveries.baseAddress else { return }
            for ball in start..<deliveries.count where deliveries[ball].innings == ordinal {
                folds[index].add(DeliveryInPlace(at: first + ball), context: context)
            }
        }
    }
}

/// Which innings a batch of changes has touched.
private struct Touched {
    /// The frame changed: fold all.
    var everything = false
    /// Ordinals to fold from their first ball.
    var refold: Set<Int> = []
    /// Ordinals whose frame changed in what no ball depends on.
    var reframed: Set<Int> = []
    /// Ordinals that only got balls behind their last one.
    var grown: Set<Int> = []

    mutating func add(_ effect: MatchRecord.Effect) {
        switch effect {
        case .none: break
        case .everything: everything = true
        case .frame(let ordinal): refold.insert(ordinal)
        case .appended(let ordinal): if !grown.contains(ordinal) { grown.insert(ordinal) }
        case .changed(let ordinal, let before):
            refold.insert(ordinal)
            refold.insert(before)
        }
    }
}

extension InningsInfo {
    /// Whether balls fold to something else under this frame: how an innings ended, or who is in, changes none of them.
    fileprivate func foldsOtherwise(than old: InningsInfo) -> Bool {
        var other = old
        other.isClosed = isClosed
        other.isDeclared = isDeclared
        other.isForfeited = isForfeited
        other.absent = absent
        other.crease = crease
        other.reported = reported
        return self != other
    }
}
