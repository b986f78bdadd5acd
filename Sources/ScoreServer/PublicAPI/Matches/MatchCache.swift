// The newest view of every match in memory: a million readers cost the database nothing.

import MatchEngine
import ScoreTypes
import Synchronization

/// Holds the views that the outlets put there, and asks its loaders for what is not there.
final class MatchShelf: MatchReader {
    /// Most matches held, at some 10 KiB each; beyond that the finished ones with the oldest news go first.
    static let matchesMax = 5_000

    /// Loads a match from the journal; nil when there is none.
    typealias Load = @Sendable (MatchID) async throws -> MatchView?
    /// Reads the journal after a number, oldest first, at most so many.
    typealias ReadChanges = @Sendable (MatchID, Int64, Int) async throws -> [MatchChange]

    private let shelf = Mutex<[MatchID: MatchView]>([:])
    /// Matches that their provider has dropped; as many as there may be views.
    private let removed = Mutex<Set<MatchID>>([])
    private let load: Load
    private let readChanges: ReadChanges

    init(load: @escaping Load, changes: @escaping ReadChanges) {
        self.load = load
        readChanges = changes
    }

    /// Puts a view onto the shelf, unless a newer one of the match is there already, or its provider has dropped it.
    ///
    /// - Returns: Whether it was put there.
    @discardableResult
    func put(_ view: MatchView) -> Bool {
        if removed.withLock({ $0.contains(view.match) }) { return false }
        return shelf.withLock { shelf in
            if let known = shelf[view.match], known.revision.number > view.revision.number { return false }
            shelf[view.match] = view
            if shelf.count > Self.matchesMax { Self.makeRoom(on: &shelf) }
            return true
        }
    }

    /// Takes a match away that its provider has dropped, or lets it come back.
    func mark(_ match: MatchID, isRemoved: Bool) {
        removed.withLock { removed in
            if !isRemoved { removed.remove(match) } else if removed.count < Self.matchesMax { removed.insert(match) }
        }
        if isRemoved { shelf.withLock { $0[match] = nil } }
    }

    func view(of match: MatchID) async throws -> MatchView? {
        if removed.withLock({ $0.contains(match) }) { throw ServiceProblem(.matchRemoved) }
        if let view = shelf.withLock({ $0[match] }) { return view }
        guard let view = try await load(match) else { return nil }
        put(view)
        return view
    }

    func views() -> [MatchView] { shelf.withLock { Array($0.values) } }

    func changes(of match: MatchID, after number: Int64, limit: Int) async throws -> [MatchChange] {
        try await readChanges(match, number, limit)
    }

    private static func makeRoom(on shelf: inout [MatchID: MatchView]) {
        let oldest = shelf.values.min { left, right in
            let isFinished = (left.phase == .over, right.phase == .over)
            if isFinished.0 != isFinished.1 { return isFinished.0 }
            return left.news.publishedAt < right.news.publishedAt
        }
        if let oldest { shelf[oldest.match] = nil }
    }
}
