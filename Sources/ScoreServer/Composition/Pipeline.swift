// The life of one ball, top-down: this file is the one place where all rooms meet.

import CurlTransfer
import FollowService
import LiveActivities
import Logging
import MatchEngine
import MatchJournal
import Postgres
import PushDispatcher
import ScoreIngest
import ScoreTypes
import Synchronization

/// One node's way from the provider's reply to the Lock Screens.
struct Pipeline: Sendable {
    let ingest: IngestService
    /// Goes on with matches that nobody polls.
    let keeper: MatchKeeper
    let publisher: Publisher
    let outlets: Outlets
    let orders: IngestOrderDesk
    /// nil when none are kept.
    let captures: CaptureDesk?

    private init(
        _ ingest: IngestService,
        _ keeper: MatchKeeper,
        _ publisher: Publisher,
        _ outlets: Outlets,
        _ orders: IngestOrderDesk,
        _ captures: CaptureDesk?
    ) {
        (self.ingest, self.keeper, self.publisher) = (ingest, keeper, publisher)
        (self.outlets, self.orders, self.captures) = (outlets, orders, captures)
    }

    /// Wires the way of a ball.
    static func build(
        _ settings: ServerConfiguration,
        journal: Journal,
        database: ConnectionInfo,
        membership: Membership,
        outlets: Outlets,
        driver: TransferDriver,
        clock: ServiceClock
    ) -> Pipeline {
        let publisher = publisher(settings, journal: journal, database: database, outlets: outlets, clock: clock)
        // 1. Pollers fetch replies while this node holds the feed's duty; 2. to 4. one writer a match judges, folds
        // and journals them in one fenced transaction, whichever of its feeds speaks.
        let feeds = settings.feeds.map { FeedConfiguration($0) }
        let duties = Dictionary(feeds.map { ($0.id, $0.duty) }) { first, _ in first }
        let captures = CaptureDesk(settings, clock: clock)
        let precedence = Dictionary(feeds.map { ($0.id, $0.precedence) }) { first, _ in first }
        let desk = SourceDesk(precedence: precedence, clock: clock) { match, feed in
            MatchWriter(
                match: match,
                feed: feed,
                journal: journal,
                fence: { membership.fence(lease: duties[feed] ?? "feed:\(feed)") },
                clock: clock,
                options: settings.engine,
                record: captures?.recorder,
                committed: { publisher.wake($0) }
            )
        }
        let mayPoll: @Sendable (FeedID) async -> Bool = { await acquire($0, duty: duties[$0], membership) }
        let polled = Set(duties.keys)
        let keeper = MatchKeeper(journal: journal, sources: desk, clock: clock, polled: polled, acquire: mayPoll) {
            try? await membership.release(lease: "feed:\($0)")
        }
        let aliases = AliasDesk()
        let ingest = IngestService(
            feeds: feeds,
            driver: driver,
            clock: clock,
            mayPoll: mayPoll,
            gained: { keeper.gained($0) },
            makeSink: { match, feed in await desk.open(match, feed) },
            unfinished: { try await journal.unfinished(of: $0) },
            aliases: { aliases.book },
            capture: { (capture: FeedCapture) in captures?.take(capture) }
        )
        let orders = IngestOrderDesk(
            info: database,
            ingest: ingest,
            keeper: keeper,
            book: { try await AliasRecords(pool: journal.connections).book() },
            aliases: aliases,
            captured: { book in captures?.take(book, of: feeds, at: clock.wall) },
            paused: { Set(try await FeedRecords(pool: journal.connections).pausedReasons().keys) }
        )
        return Pipeline(ingest, keeper, publisher, outlets, orders, captures)
    }

    /// Takes the duty for a feed, which those that stand in for each other share.
    ///
    /// It takes the feed's own name with it: nodes whose settings do not have the feed see by it that it is polled.
    private static func acquire(_ feed: FeedID, duty: String?, _ membership: Membership) async -> Bool {
        let name = "feed:\(feed)"
        if let duty, duty != name {
            guard (try? await membership.acquire(lease: duty)) == true else { return false }
            _ = try? await membership.acquire(lease: name)
            return true
        }
        return (try? await membership.acquire(lease: name)) ?? false
    }

    /// 5. Each node renders the head of a reply once, and 6. gives it to its three outlets.
    private static func publisher(
        _ settings: ServerConfiguration,
        journal: Journal,
        database: ConnectionInfo,
        outlets: Outlets,
        clock: ServiceClock
    ) -> Publisher {
        Publisher(
            journal: journal,
            info: database,
            clock: clock,
            scheme: settings.deepLinkScheme,
            options: settings.engine,
            standing: { await outlets.tellStanding($0) },
            outlet: { await outlets.publish($0) }
        )
    }
}

/// The three outlets of a publication: snapshot, stream, push.
final class Outlets: Sendable {
    private let shelf: MatchCache
    private let hub: StreamHub
    private let journal: Journal
    private let receipts: ReceiptMonitor
    private let push: Mutex<LiveActivityServices?> = Mutex(nil)
    private let feeds = Mutex<[MatchID: FeedID]>([:])
    /// What stands beside the content of matches that are held, or that nobody reports.
    private let standings = Mutex<[MatchID: JournalHead]>([:])

    init(shelf: MatchCache, hub: StreamHub, journal: Journal, receipts: ReceiptMonitor) {
        self.shelf = shelf
        self.hub = hub
        self.journal = journal
        self.receipts = receipts
    }

    /// Adds the services that push; without a signing key there are none.
    func connect(_ services: LiveActivityServices) { push.withLock { $0 = services } }

    /// Brings a publication to readers, watchers and phones, in that order: the first two cost nothing.
    func publish(_ publication: Publication) async {
        var news = MatchNews(publication, feed: await feed(of: publication.match))
        if let head = standings.withLock({ $0[publication.match] }) { news.stand(as: head) }
        let view = MatchView(news)
        shelf.put(view)
        hub.publish(view)
        receipts.published(publication)
        await push.withLock { $0 }?.publish(publication)
    }

    /// Tells readers and watchers that a match is held, that nobody reports it, or that there is none; phones keep what
    /// they have.
    ///
    /// - Returns: False when the match could not be read: then it has to be told again.
    func tellStanding(_ head: JournalHead) async -> Bool {
        await push.withLock { $0 }?.updateHold(of: head)
        shelf.mark(head.match, isRemoved: head.isRemoved)
        let view: MatchView?
        do { view = head.isRemoved ? nil : try await shelf.view(of: head.match) } catch { return false }
        let isPlain = head.heldReason == nil && head.silentSince == nil || head.isRemoved
        let before = standings.withLock { standings in
            defer { standings[head.match] = isPlain ? nil : head }
            return standings[head.match]
        }
        guard let view else { return true }
        var news = view.news
        news.stand(as: head)
        shelf.put(MatchView(news))
        if before?.silentSince != head.silentSince { hub.publishStale(head.match, since: head.silentSince) }
        if before?.heldReason != head.heldReason { hub.publishHeld(head.match, news.hold) }
        return true
    }

    private func feed(of match: MatchID) async -> FeedID {
        if let known = feeds.withLock({ $0[match] }) { return known }
        let feed = (try? await journal.head(of: match))??.feed ?? FeedID(unchecked: "unknown")
        feeds.withLock { $0[match] = feed }
        return feed
    }
}
