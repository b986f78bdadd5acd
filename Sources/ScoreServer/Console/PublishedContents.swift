// A page draws one revision several times; its bytes are read from the journal once.

import ScoreTypes
import SurfaceImages
import Synchronization

/// The newest revisions that were drawn, as their phones received them.
final class PublishedContents: Sendable {
    private struct Key: Hashable, Sendable {
        let match: MatchID
        let revision: Revision
    }

    private let history: MatchHistory
    private let log: any OverrideStore
    private let known = Mutex(GenerationCache<Key, SurfaceContent>(capacity: ServerLimits.drawnRevisions))

    init(_ history: MatchHistory, log: any OverrideStore) { (self.history, self.log) = (history, log) }

    /// The content that phones show at a revision: of the newest publication up to it; nil before the first one.
    func content(at number: Int64, of view: MatchView) async throws -> SurfaceContent? {
        if let content = try await publishedContent(at: number, of: view) { return content }
        guard number < view.revision.number,
            let shown = try await log.publishedRevision(of: view.match, notAfter: number), shown < number
        else { return nil }
        return try await publishedContent(at: shown, of: view)
    }

    private func publishedContent(at number: Int64, of view: MatchView) async throws -> SurfaceContent? {
        let key = Key(match: view.match, revision: Revision(epoch: view.revision.epoch, number: number))
        if let content = known.withLock({ $0[key] }) { return content }
        let publication =
            number == view.revision.number
            ? view.publication : try await history.publication(number, of: view.match)
        guard let content = publication.map({ SurfaceContent($0) }) else { return nil }
        known.withLock { $0[key] = content }
        return content
    }
}
