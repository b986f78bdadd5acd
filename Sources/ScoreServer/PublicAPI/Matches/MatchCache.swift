// The newest view of each match is in memory, so that readers cause no database queries.

import MatchEngine
import MatchJournal
import ScoreTypes
import Synchronization

/// The newest views; a missing one is loaded from the journal.
final class MatchCache: Sendable {
    /// Loads a match from the journal; nil when there is none.
    typealias Load = @Sendable (MatchID) async throws -> MatchView?

    private let cached = Mutex<[MatchID: MatchView]>([:])
    /// Matches that their provider has removed, at most ``ServerLimits/cachedMatches``.
    private let removed = Mutex<Set<MatchID>>([])
    private let load: Load
    /// Reads the journal of a match after a number, oldest first, at most so many entries.
    let changes: @Sendable (MatchID, Int64, Int) async throws -> [JournalEntry]

    init(
        load: @escaping Load,
        changes: @escaping @Sendable (MatchID, Int64, Int) async throws -> [JournalEntry]
    ) {
        (self.load, self.changes) = (load, changes)
    }

    /// Stores a view, unless a newer one is stored or the provider has removed the match; returns whether it did.
    @discardableResult
    func put(_ view: MatchView) -> Bool {
        if removed.withLock({ $0.contains(view.match) }) { return false }
        return cached.withLock { cached in
            if let known = cached[view.match], known.revision.number > view.revision.number { return false }
            cached[view.match] = view
            if cached.count > ServerLimits.cachedMatches { Self.makeRoom(on: &cached) }
            return true
        }
    }

    /// Marks a match as removed by its provider, or clears the mark.
    func mark(_ match: MatchID, isRemoved: Bool) {
        removed.withLock { removed in
            if !isRemoved {
                removed.remove(match)
            } else if removed.count < ServerLimits.cachedMatches {
                removed.insert(match)
            }
        }
        if isRemoved { cached.withLock { $0[match] = nil } }
    }

    /// The newest state of a match; nil when there is no such match.
    func view(of match: MatchID) async throws -> MatchView? {
        if removed.withLock({ $0.contains(match) }) { throw ServiceProblem(.matchRemoved) }
        if let view = cached.withLock({ $0[match] }) { return view }
        guard let view = try await load(match) else { return nil }
        put(view)
        return view
    }

    /// The newest state of a match; throws `not-found` when there is no such match.
    func existingView(of match: MatchID) async throws -> MatchView {
        guard let view = try await view(of: match) else { throw ServiceProblem(.notFound, "There is no such match.") }
        return view
    }

    /// All matches in memory, in no order.
    func views() -> [MatchView] { cached.withLock { Array($0.values) } }

    private static func makeRoom(on cached: inout [MatchID: MatchView]) {
        let oldest = cached.values.min { left, right in
            let isFinished = (left.phase == .over, right.phase == .over)
            if isFinished.0 != isFinished.1 { return isFinished.0 }
            return left.publication.committedAt < right.publication.committedAt
        }
        if let oldest { cached[oldest.match] = nil }
    }
}
