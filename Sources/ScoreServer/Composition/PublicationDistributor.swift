// Readers of snapshots, streams and phones receive the same publication.

import LiveActivities
import MatchJournal
import ScoreTypes
import Synchronization

/// Passes publications to the cache of matches, the streams and the services that push.
final class PublicationDistributor: Sendable {
    private let matches: MatchCache
    private let hub: StreamHub
    private let receipts: ReceiptMonitor
    /// nil without a signing key.
    private let push: LiveActivityServices?
    /// The heads of matches that are held or silent.
    private let heads = Mutex<[MatchID: JournalHead]>([:])

    init(
        matches: MatchCache,
        hub: StreamHub,
        receipts: ReceiptMonitor,
        push: LiveActivityServices? = nil
    ) {
        self.matches = matches
        self.hub = hub
        self.receipts = receipts
        self.push = push
    }

    /// Passes a publication to readers, streams and phones, in this order, since the first two take no time.
    func publish(_ publication: Publication) async {
        // Only the streams use the changes; the cache keeps the publication for long.
        let changes = publication.changes
        var publication = publication
        publication.changes = []
        var news = MatchNews(publication: publication)
        if let head = heads.withLock({ $0[publication.match] }) { news.update(from: head) }
        let view = MatchView(news)
        matches.put(view)
        hub.publish(view, changes: changes)
        let revision = publication.revision.number
        receipts.published(publication.match, revision, hash: publication.stateHash, at: publication.committedAt)
        await push?.publish(publication)
    }

    /// Informs readers and streams of a hold, a silence or a removal, or of its end; false when it has to be repeated.
    func update(from head: JournalHead) async -> Bool {
        await push?.updateHold(of: head)
        matches.mark(head.match, removedAt: head.removedAt)
        let view: MatchView?
        do { view = head.isRemoved ? nil : try await matches.view(of: head.match) } catch { return false }
        let isPlain = head.heldReason == nil && head.silentSince == nil || head.isRemoved
        let before = heads.withLock { heads in
            defer { heads[head.match] = isPlain ? nil : head }
            return heads[head.match]
        }
        guard let view else { return true }
        var news = view.news
        news.update(from: head)
        matches.put(MatchView(news))
        if before?.silentSince != head.silentSince { hub.publishStale(head.match, since: head.silentSince) }
        if before?.heldReason != head.heldReason { hub.publishHeld(head.match, news.hold) }
        return true
    }

    /// Forgets a match whose rows were deleted.
    func forget(_ match: MatchID) {
        heads.withLock { $0[match] = nil }
        matches.forget(match)
    }
}
