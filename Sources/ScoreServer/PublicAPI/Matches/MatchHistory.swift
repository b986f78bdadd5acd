// Past revisions and single balls are not in memory; few reads of them run at once, so that a match costs no other one.

import HTTPTypes
import MatchEngine
import MatchJournal
import NIOCore
import ScoreTypes
import Synchronization

/// Reads of the journal for clients, which may be long, with the newest answers.
final class MatchHistory: Sendable {
    /// Renders a match as it was published at a revision; nil when nothing was published at it.
    typealias Render = @Sendable (MatchID, Int64) async throws -> Publication?
    /// Applies the entries of the journal up to a revision.
    typealias Follow = @Sendable (inout BallHistory, Int64) async throws -> Void

    /// An answer and its cache lifetimes.
    struct Answered: Sendable {
        let answer: StoredAnswer
        let cacheControl: String
    }

    private enum Key: Hashable, Sendable {
        case revision(MatchID, Revision)
        case over(MatchID, Revision, innings: Int, over: Int)
    }

    /// The matches whose reads run one after the other, so that each match is folded once.
    private final class Lane: Sendable {
        let lock = AsyncMutex(waitersMax: ServerLimits.waitingHistoryReads)
        let histories = Mutex(
            GenerationCache<Key, BallHistory>(
                capacity: ServerLimits.matchesWithBalls / ServerLimits.historyReaders
            )
        )

        /// A journal: a match that was deleted and began anew has another epoch.
        struct Key: Hashable, Sendable {
            let match: MatchID
            let epoch: Epoch
        }

        /// Takes the balls of a match out, so that they grow without a copy.
        func take(_ key: Key) -> BallHistory {
            histories.withLock { histories in
                defer { histories[key] = nil }
                return histories[key] ?? BallHistory(key.match)
            }
        }

        func put(_ history: BallHistory, _ key: Key) { histories.withLock { $0[key] = history } }
    }

    private let lanes = (0..<ServerLimits.historyReaders).map { _ in Lane() }
    private let answers = Mutex(GenerationCache<Key, Answered>(capacity: ServerLimits.historyAnswers))
    private let render: Render
    private let follow: Follow

    init(render: @escaping Render, follow: @escaping Follow) {
        (self.render, self.follow) = (render, follow)
    }

    /// The match as it was published at a revision; nil when nothing was published at it.
    func revision(_ number: Int64, of view: MatchView) async throws -> Answered? {
        let key = Key.revision(view.match, Revision(epoch: view.revision.epoch, number: number))
        if let known = answers.withLock({ $0[key] }) { return known }
        let publication = try await alone(view.match) { _ in try await self.render(view.match, number) }
        guard let publication else { return nil }
        let body = MatchDocument.revision(of: publication)
        let answered = Answered(
            answer: Self.stored(body, of: view.match, tag: "\"\(publication.revision)\""),
            // Not immutable: a rebuild from the feed changes the epoch, and another release may render it anew.
            cacheControl: "public, max-age=3600"
        )
        answers.withLock { $0[key] = answered }
        return answered
    }

    /// A match as it was published at a revision, for operators; nil when nothing was published at it.
    func publication(_ number: Int64, of match: MatchID) async throws -> Publication? {
        try await alone(match) { _ in try await self.render(match, number) }
    }

    /// An over at the revision of the view or a later one; nil when no ball of it is known.
    func over(_ number: Int, ofInnings ordinal: Int, of view: MatchView) async throws -> Answered? {
        let key = Key.over(view.match, view.revision, innings: ordinal, over: number)
        if let known = answers.withLock({ $0[key] }) { return known }
        let document = try await alone(view.match) { lane in
            let journal = Lane.Key(match: view.match, epoch: view.revision.epoch)
            var history = lane.take(journal)
            defer { lane.put(history, journal) }
            try await self.follow(&history, view.revision.number)
            return history.replica.over(number, ofInnings: ordinal).map { over in
                OverDocument(over, innings: ordinal, of: view, in: history)
            }
        }
        guard let document else { return nil }
        let body = document.bytes
        let answered = Answered(
            answer: Self.stored(body, of: view.match, tag: Answer.tag(of: body)),
            cacheControl: document.over.isComplete ? "public, max-age=30" : "public, max-age=1"
        )
        answers.withLock { $0[key] = answered }
        return answered
    }

    private static func stored(_ body: [UInt8], of match: MatchID, tag: String) -> StoredAnswer {
        StoredAnswer(tag: tag, headers: [.surrogateKey: "match/\(match)"], body: ByteBuffer(bytes: body))
    }

    /// Runs a read while no other one of its lane runs; throws `temporarily-unavailable` when too many wait.
    private func alone<Value: Sendable>(
        _ match: MatchID,
        _ read: (Lane) async throws -> Value
    ) async throws -> Value {
        let lane = lanes[Int(match.hashValue.magnitude % UInt(lanes.count))]
        guard await lane.lock.lock() else { throw ServiceProblem.unavailable("overload") }
        defer { lane.lock.unlock() }
        try Task.checkCancellation()
        return try await read(lane)
    }
}
