// Record and folded state kept together: a change refolds what it touches, a new ball costs one step.

/// A match that follows its journal.
public struct MatchReplica: Sendable {
    /// What the journal has told.
    public private(set) var record = MatchRecord()
    /// What it means.
    public private(set) var state = MatchState()
    /// Beside `record.innings`.
    private var folds: [InningsFold] = []
    private var context = FoldContext(MatchReplica.unknown)

    /// Starts with nothing known.
    public init() {}

    /// Applies one journal entry.
    public mutating func apply(_ change: Change) { apply(CollectionOfOne(change)) }

    /// Applies journal entries in order and folds once.
    public mutating func apply(_ changes: some Sequence<Change>) {
        var touched = Touched()
        for change in changes {
            note(change, in: &touched)
            record.apply(change)
        }
        refold(touched)
        state = MatchAssembly(record: record, cards: folds.map(\.card), context: context).state
    }

    /// What is folded with before the first reply.
    private static let unknown = MatchInfo(format: .t20, teams: [])

    /// Finds out which innings a change touches; asked before the record takes the change in.
    private func note(_ change: Change, in touched: inout Touched) {
        switch change {
        case .info(let info): if info != record.info { touched.everything = true }
        case .innings(let facts): touched.refold.insert(facts.ordinal)
        case .inningsWithdrawn(let ordinal): touched.refold.insert(ordinal)
        case .withdrawn(let key):
            if let old = record.delivery(key) { touched.refold.insert(old.innings) }
        case .inserted(let delivery), .amended(let delivery):
            if let old = record.delivery(delivery.key) {
                touched.refold.insert(old.innings)
                touched.refold.insert(delivery.innings)
            } else if let fold = folds.first(where: { $0.card.info.ordinal == delivery.innings }),
                fold.isBehind(delivery)
            {
                touched.grown.insert(delivery.innings)
            } else {
                touched.refold.insert(delivery.innings)
            }
        case .status, .result, .confirmed, .keepAlive: break
        }
    }

    private mutating func refold(_ touched: Touched) {
        if touched.everything { context = FoldContext(record.info ?? Self.unknown) }
        var streaks: Streaks = [:]
        var old = Dictionary(folds.map { ($0.card.info.ordinal, $0) }) { first, _ in first }
        let isShapeKept = folds.count == record.innings.count && touched.refold.isEmpty && !touched.everything
        if isShapeKept {
            old = [:]
        } else {
            folds = []
        }
        for (index, info) in record.innings.enumerated() {
            if !isShapeKept {
                let kept = old.removeValue(forKey: info.ordinal)
                folds.append(kept ?? InningsFold(info, streaks: streaks, context: context))
            }
            let mustRefold =
                touched.everything || touched.refold.contains(info.ordinal) || folds[index].streaksBefore != streaks
            if mustRefold {
                folds[index] = folded(info, streaks: streaks)
            } else if touched.grown.contains(info.ordinal) {
                grow(index)
            }
            streaks = folds[index].streaksAfter
        }
    }

    private func folded(_ info: InningsInfo, streaks: Streaks) -> InningsFold {
        var fold = InningsFold(info, streaks: streaks, context: context)
        for delivery in record.deliveries where delivery.innings == info.ordinal {
            fold.add(delivery, context: context)
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
    /// Ordinals that only got balls behind their last one.
    var grown: Set<Int> = []
}
