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
    /// Ticks matches that no poller ticks.
    let ticker: MatchTicker
    let publisher: Publisher
    let outlets: Outlets
    let orders: IngestOrderListener
    /// nil when none are kept.
    let captures: CaptureStore?

    private init(
        _ ingest: IngestService,
        _ ticker: MatchTicker,
        _ publisher: Publisher,
        _ outlets: Outlets,
        _ orders: IngestOrderListener,
        _ captures: CaptureStore?
    ) {
        (self.ingest, self.ticker, self.publisher) = (ingest, ticker, publisher)
        (self.outlets, self.orders, self.captures) = (outlets, orders, captures)
    }

    /// Wires the way of a ball.
    static func build(
        _ settings: ServerConfiguration,
        publications: PublicationCache,
        journal: Journal,
        database: ConnectionInfo,
        membership: Membership,
        outlets: Outlets,
        driver: TransferDriver,
        clock: ServiceClock
    ) -> Pipeline {
        // 5. Each node renders the head of a reply once, and 6. gives it to its three outlets.
        let publisher = Publisher(publications, info: database) {
            await outlets.tellStanding($0)
        } outlet: {
            await outlets.publish($0)
        }
        // 1. Pollers fetch replies while this node holds the feed's duty; 2. to 4. one writer a match judges, folds
        // and journals them in one fenced transaction, whichever of its feeds speaks.
        let feeds = settings.feeds.map { FeedConfiguration($0) }
        let duties = Dictionary(feeds.map { ($0.id, $0.duty) }) { first, _ in first }
        let captures = CaptureStore(settings, clock: clock)
        let precedence = Dictionary(feeds.map { ($0.id, $0.precedence) }) { first, _ in first }
        let intakes = MatchIntakes(precedence: precedence, clock: clock) { match, feed in
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
        let ticker = MatchTicker(journal: journal, intakes: intakes, clock: clock, polled: polled, acquire: mayPoll) {
            try? await membership.release(lease: "feed:\($0)")
        }
        let aliases = AliasCache()
        let ingest = IngestService(
            feeds: feeds,
            driver: driver,
            clock: clock,
            mayPoll: mayPoll,
            gained: { ticker.gained($0) },
            makeSink: { match, feed in await intakes.open(match, feed) },
            unfinished: { try await journal.unfinished(of: $0) },
            aliases: { aliases.book },
            capture: { (capture: FeedCapture) in captures?.take(capture) }
        )
        let orders = IngestOrderListener(
            info: database,
            ingest: ingest,
            ticker: ticker,
            book: { try await AliasRecords(pool: journal.connections).book() },
            aliases: aliases,
            captured: { book in captures?.take(book, of: feeds, at: clock.wall) },
            paused: { Set(try await FeedRecords(pool: journal.connections).pausedReasons().keys) }
        )
        return Pipeline(ingest, ticker, publisher, outlets, orders, captures)
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
}

/// The three outlets of a publication: snapshot, stream, push.
final class Outlets: Sendable {
    private let shelf: MatchCache
    private let hub: StreamHub
    private let journal: Journal
    private let receipts: ReceiptMonitor
    /// nil without a signing key.
    private let push: LiveActivityServices?
    private let feeds = Mutex<[MatchID: FeedID]>([:])
    /// What stands beside the content of matches that are held, or that nobody reports.
    private let standings = Mutex<[MatchID: JournalHead]>([:])

    init(
        shelf: MatchCache,
        hub: StreamHub,
        journal: Journal,
        receipts: ReceiptMonitor,
        push: LiveActivityServices? = nil
    ) {
        self.shelf = shelf
        self.hub = hub
        self.journal = journal
        self.receipts = receipts
        self.push = push
    }

    /// Brings a publication to readers, watchers and phones, in that order: the first two cost nothing.
    func publish(_ publication: Publication) async {
        var news = MatchNews(publication, feed: await feed(of: publication.match))
        if let head = standings.withLock({ $0[publication.match] }) { news.update(from: head) }
        let view = MatchView(news)
        shelf.put(view)
        hub.publish(view)
        receipts.published(publication)
        await push?.publish(publication)
    }

    /// Tells readers and watchers that a match is held, that nobody reports it, or that there is none; phones keep what
    /// they have.
    ///
    /// - Returns: False when the match could not be read: then it has to be told again.
    func tellStanding(_ head: JournalHead) async -> Bool {
        await push?.updateHold(of: head)
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
        news.update(from: head)
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
