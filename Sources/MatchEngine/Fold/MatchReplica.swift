// Keeps a record and its folded state together: a correction refolds what it affects, a new ball costs one step.

/// A match that applies the entries of its journal.
public struct MatchReplica: Sendable {
    /// The record built from the journal entries applied so far.
    public private(set) var record = MatchRecord()
    /// The state folded from the record.
    public private(set) var state: MatchState
    /// One element per innings of `record.innings`.
    private var folds: [InningsFold] = []
    private var context: FoldContext
    private let options: EngineOptions
    private var statusMoments = StatusMoments()

    /// Starts with an empty record.
    ///
    /// - Parameter options: Which moments are announced and how scores are written.
    public init(options: EngineOptions = EngineOptions()) {
        self.options = options
        context = FoldContext(Self.unknown, options: options)
        state = MatchState(context)
    }

    /// Starts with a stored record, and folds it once.
    ///
    /// - Parameters:
    ///   - record: The stored record.
    ///   - options: Which moments are announced and how scores are written.
    public init(_ record: MatchRecord, options: EngineOptions = EngineOptions()) {
        self.init(options: options)
        self.record = record
        var touched = Touched()
        touched.everything = true
        update(touched)
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

    /// Changes of one call from which on memory is reserved: a match being loaded, not one in play.
    private static let manyBalls = 64

    private mutating func apply(all changes: [Change]) {
        // The old state shares the storage of the folds' scorecards; it is released first, so that they grow without a
        // copy.
        state = MatchState(context)
        if changes.count >= Self.manyBalls { record.reserve(changes.count) }
        var touched = Touched()
        for change in changes {
            let effect = isFrameOnly(change) ? reframe(change, &touched) : record.take(change)
            touched.add(effect)
        }
        update(touched)
    }

    /// Folds what a batch of changes affects.
    private mutating func update(_ touched: Touched) {
        refold(touched)
        statusMoments.update(record, context, hasNewFacts: touched.everything)
        state =
            MatchAssembly(record: record, cards: folds.map(\.card), context: context, statusMoments: statusMoments)
            .state
    }

    /// The facts used before the first reply.
    private static let unknown = MatchInfo(format: .t20, teams: [])

    /// Whether a change gives a known innings facts under which its balls fold as before.
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
            // Player histories are computed only where an earlier innings may have changed them.
            let isKept = !isTouched && !hasChanged
            let brought =
                isKept ? folds[index].historiesBefore : index == 0 ? [:] : folds[index - 1].historiesAfter
            if isTouched || !isKept && folds[index].historiesBefore != brought {
                folds[index] = folded(info, streaks: brought)
                hasChanged = true
            } else if touched.grown.contains(info.ordinal) {
                grow(index)
                hasChanged = true
            }
        }
    }

    /// Aligns `folds` with `record.innings`; a new innings gets an empty fold.
    private mutating func alignFolds() {
        let known = folds.map(\.card.info.ordinal)
        guard known != record.innings.map(\.ordinal) else { return }
        let old = folds
        folds = record.innings.map { info in
            old.first { $0.card.info.ordinal == info.ordinal } ?? InningsFold(info, streaks: [:], context: context)
        }
    }

    private func folded(_ info: InningsInfo, streaks: PlayerHistories) -> InningsFold {
        var fold = InningsFold(info, streaks: streaks, context: context)
        record.deliveries.withUnsafeBufferPointer { deliveries in
            guard var ball = deliveries.baseAddress else { return }
            let end = ball + deliveries.count
            while ball < end {
                if ball.pointee.innings == info.ordinal { fold.add(ball, context: context) }
                ball += 1
            }
        }
        return fold
    }

    /// Folds the balls after the last one folded.
    private mutating func grow(_ index: Int) {
        let ordinal = folds[index].card.info.ordinal
        let start = folds[index].card.lastBall.map { record.firstIndex(after: folds[index].lastOrder, $0) } ?? 0
        record.deliveries.withUnsafeBufferPointer { deliveries in
            guard let first = deliveries.baseAddress else { return }
            for ball in start..<deliveries.count where deliveries[ball].innings == ordinal {
                folds[index].add(first + ball, context: context)
            }
        }
    }
}

/// The innings that a batch of changes affects.
private struct Touched {
    /// The facts of the match changed: fold all innings.
    var everything = false
    /// Ordinals of innings to fold from their first ball.
    var refold: Set<Int> = []
    /// Ordinals of innings whose facts changed only where no ball depends on them.
    var reframed: Set<Int> = []
    /// Ordinals of innings that only got balls after their last one.
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
    /// Whether balls fold differently under these facts: no ball depends on how an innings ended, on what was awarded
    /// after it or on who is at the crease.
    fileprivate func foldsOtherwise(than old: InningsInfo) -> Bool {
        var other = old
        other.isClosed = isClosed
        other.isDeclared = isDeclared
        other.isForfeited = isForfeited
        other.absent = absent
        other.penaltyAfter = penaltyAfter
        other.crease = crease
        other.reported = reported
        return self != other
    }
}
