// The newest view of each match is in memory, so that readers cause no database queries.

import MatchEngine
import MatchJournal
import ScoreTypes
import Synchronization

/// The newest views; a missing one is loaded from the journal.
final class MatchCache: Sendable {
    /// Loads a match from the journal; nil when there is none.
    typealias Load = @Sendable (MatchID) async throws -> MatchView?

    private enum Entry: Sendable {
        case view(MatchView)
        /// Its provider has removed the match.
        case removed(at: Instant)
    }

    /// The entries, and a number that grows with each change.
    private struct Table: Sendable {
        private(set) var all: [MatchID: Entry] = [:]
        private(set) var version = 0

        subscript(match: MatchID) -> Entry? {
            get { all[match] }
            set {
                all[match] = newValue
                version += 1
            }
        }
    }

    /// At most ``ServerLimits/cachedMatches`` entries.
    private let entries = Mutex(Table())
    private let load: Load
    /// Reads the journal of a match after a number, oldest first, at most so many entries.
    let changes: @Sendable (MatchID, Int64, Int) async throws -> [JournalEntry]
    /// Past revisions and balls.
    let history: MatchHistory

    init(
        load: @escaping Load,
        changes: @escaping @Sendable (MatchID, Int64, Int) async throws -> [JournalEntry],
        history: MatchHistory = MatchHistory(render: { _, _ in nil }, follow: { _, _ in })
    ) {
        (self.load, self.changes, self.history) = (load, changes, history)
    }

    /// Stores a view, unless a newer one is stored or the provider has removed the match; returns whether it did.
    @discardableResult
    func put(_ view: MatchView) -> Bool {
        entries.withLock { entries in
            switch entries[view.match] {
            case .removed: return false
            // Numbers of different epochs do not compare: the match was deleted and began anew.
            case .view(let known)
            where known.revision.epoch == view.revision.epoch && known.revision.number > view.revision.number:
                return false
            case .view: entries[view.match] = .view(view)
            case nil:
                entries[view.match] = .view(view)
                Self.limit(&entries)
            }
            return true
        }
    }

    /// Marks a match as removed by its provider, or clears the mark.
    func mark(_ match: MatchID, removedAt: Instant?) {
        entries.withLock { entries in
            if let removedAt {
                entries[match] = .removed(at: removedAt)
                Self.limit(&entries)
            } else if case .removed = entries[match] {
                entries[match] = nil
            }
        }
    }

    /// Drops a match whose rows were deleted.
    func forget(_ match: MatchID) { entries.withLock { $0[match] = nil } }

    /// The newest state of a match in memory; nil when it is not there, throws `match-removed` when it was removed.
    func cachedView(of match: MatchID) throws(ServiceProblem) -> MatchView? {
        switch entries.withLock({ $0[match] }) {
        case .view(let view): return view
        case .removed(let time): throw .removed(match, at: time)
        case nil: return nil
        }
    }

    /// The newest state of a match; nil when there is no such match.
    func view(of match: MatchID) async throws -> MatchView? {
        if let view = try cachedView(of: match) { return view }
        guard let view = try await load(match) else { return nil }
        put(view)
        return view
    }

    /// The newest state of a match; throws `not-found` when there is no such match.
    func existingView(of match: MatchID) async throws -> MatchView {
        guard let view = try await view(of: match) else { throw ServiceProblem.missing(match) }
        return view
    }

    /// A number that grows with each change of the matches in memory.
    var version: Int { entries.withLock { $0.version } }

    /// All matches in memory, in no order.
    func views() -> [MatchView] {
        entries.withLock { entries in
            entries.all.values.compactMap { entry in if case .view(let view) = entry { view } else { nil } }
        }
    }

    /// Drops an entry when there are too many: a removed match, else the finished one with the oldest publication.
    private static func limit(_ entries: inout Table) {
        guard entries.all.count > ServerLimits.cachedMatches else { return }
        let oldest = entries.all.min { left, right in rank(left.value) < rank(right.value) }
        if let oldest { entries[oldest.key] = nil }
    }

    /// The order in which entries are dropped.
    private static func rank(_ entry: Entry) -> (Int, Instant) {
        switch entry {
        case .removed: (0, Instant(milliseconds: 0))
        case .view(let view): (view.phase == .over ? 1 : 2, view.publication.committedAt)
        }
    }
}
