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
    private let policy: MomentPolicy
    private var course = MomentCourse()

    /// Starts with nothing known; `policy` says which moments are told, and how loudly.
    public init(policy: MomentPolicy = .standard) {
        self.policy = policy
        context = FoldContext(Self.unknown, policy: policy)
        state = MatchState(context)
    }

    /// Applies one journal entry.
    public mutating func apply(_ change: Change) { apply(CollectionOfOne(change)) }

    /// Applies journal entries in order and folds once.
    public mutating func apply(_ changes: some Sequence<Change>) { apply(all: Array(changes)) }

    private mutating func apply(all changes: [Change]) {
        var touched = Touched()
        for change in changes {
            note(change, in: &touched)
            record.apply(change)
        }
        refold(touched)
        course.follow(record, context, isReframed: touched.everything)
        state = MatchAssembly(record: record, cards: folds.map(\.card), context: context, course: course).state
    }

    /// What is folded with before the first reply.
    private static let unknown = MatchInfo(format: .t20, teams: [])

    /// Finds out which innings a change touches; asked before the record takes the change in.
    private func note(_ change: Change, in touched: inout Touched) {
        switch change {
        case .info(let info): if info != record.info { touched.everything = true }
        case .innings(let facts):
            let old = record.innings.first { $0.ordinal == facts.ordinal }
            if let old, !facts.foldsOtherwise(than: old) {
                touched.reframed.insert(facts.ordinal)
            } else {
                touched.refold.insert(facts.ordinal)
            }
        case .inningsWithdrawn(let ordinal): touched.refold.insert(ordinal)
        case .withdrawn(let key):
            if let old = record.delivery(key) { touched.refold.insert(old.innings) }
        case .inserted(let delivery), .amended(let delivery):
            if record.contains(delivery.key) {
                if let old = record.delivery(delivery.key) { touched.refold.insert(old.innings) }
                touched.refold.insert(delivery.innings)
            } else if isBehind(delivery) {
                touched.grown.insert(delivery.innings)
            } else {
                touched.refold.insert(delivery.innings)
            }
        case .status, .result, .confirmed, .keepAlive: break
        }
    }

    /// Whether a new ball stands behind all balls of its innings that were folded.
    private func isBehind(_ delivery: Delivery) -> Bool {
        guard let index = folds.lastIndex(where: { $0.card.info.ordinal == delivery.innings }) else { return false }
        return folds[index].isBehind(delivery)
    }

    private mutating func refold(_ touched: Touched) {
        if touched.everything { context = FoldContext(record.info ?? Self.unknown, policy: policy) }
        if touched.everything || !touched.refold.isEmpty { alignFolds() }
        var streaks: Streaks = [:]
        for (index, info) in record.innings.enumerated() {
            if touched.reframed.contains(info.ordinal) { folds[index].card.info = info }
            let isTouched = touched.everything || touched.refold.contains(info.ordinal)
            if isTouched || folds[index].streaksBefore != streaks {
                folds[index] = folded(info, streaks: streaks)
            } else if touched.grown.contains(info.ordinal) {
                grow(index)
            }
            streaks = folds[index].streaksAfter
        }
    }

    /// Brings `folds` beside `record.innings` again; a new innings begins with an empty fold.
    private mutating func alignFolds() {
        let old = folds
        folds = record.innings.map { info in
            old.first { $0.card.info.ordinal == info.ordinal } ?? InningsFold(info, streaks: [:], context: context)
        }
    }

    private func folded(_ info: InningsInfo, streaks: Streaks) -> InningsFold {
        var fold = InningsFold(info, streaks: streaks, context: context)
        // Elements are borrowed from the buffer: a copy of each ball would cost more than its fold.
        record.deliveries.withUnsafeBufferPointer { deliveries in
            for index in deliveries.indices where deliveries[index].innings == info.ordinal {
                fold.add(deliveries[index], context: context)
            }
        }
        return fold
    }

    /// Adds the balls behind the last one folded.
    private mutating func grow(_ index: Int) {
        let ordinal = folds[index].card.info.ordinal
        let start = folds[index].last.map { record.firstIndex(after: $0.order, $0.key) } ?? 0
        for delivery in record.deliveries[start...] where delivery.innings == ordinal {
            folds[index].add(delivery, context: context)
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
        return self != other
    }
}
