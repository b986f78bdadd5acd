// The life of one ball, top-down: this file is the one place where all rooms meet.

import FollowService
import Logging
import MatchEngine
import Postgres
import PushDispatcher
import ScoreIngest
import ScoreTypes
import Synchronization

/// One node's way from the provider's reply to the Lock Screens.
struct Pipeline: Sendable {
    let ingest: IngestService
    let publisher: Publisher
    let outlets: Outlets

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
        // 5. Each node renders the head of a reply once, and 6. gives it to its three outlets.
        let publisher = Publisher(
            journal: journal,
            info: database,
            clock: clock,
            scheme: settings.deepLinkScheme,
            options: settings.engine,
            outlet: { await outlets.publish($0) }
        )
        // 1. Pollers fetch replies while this node holds the feed's lease; 2. to 4. one writer a match judges, folds
        // and journals them in one fenced transaction.
        let ingest = IngestService(
            feeds: settings.feed.map { [FeedConfiguration($0)] } ?? [],
            driver: driver,
            clock: clock,
            mayPoll: { feed in (try? await membership.acquire(lease: "feed:\(feed)")) ?? false },
            makeSink: { match, feed in
                MatchWriter(
                    match: match,
                    feed: feed,
                    journal: journal,
                    fence: { membership.fence(lease: "feed:\(feed)") },
                    clock: clock,
                    options: settings.engine,
                    committed: { publisher.wake($0) }
                )
            }
        )
        return Pipeline(ingest: ingest, publisher: publisher, outlets: outlets)
    }
}

/// The three outlets of a publication: snapshot, stream, push.
final class Outlets: Sendable {
    private let shelf: MatchShelf
    private let hub: StreamHub
    private let journal: Journal
    private let push: Mutex<(audience: Audience, dispatcher: Dispatcher)?> = Mutex(nil)
    private let feeds = Mutex<[MatchID: FeedID]>([:])

    init(shelf: MatchShelf, hub: StreamHub, journal: Journal) {
        self.shelf = shelf
        self.hub = hub
        self.journal = journal
    }

    /// Adds the way to Apple; without a signing key there is none.
    func connect(_ audience: Audience, _ dispatcher: Dispatcher) {
        push.withLock { $0 = (audience, dispatcher) }
    }

    /// Brings a publication to readers, watchers and phones, in that order: the first two cost nothing.
    func publish(_ publication: Publication) async {
        let view = MatchView(MatchNews(publication, feed: await feed(of: publication.match)))
        shelf.put(view)
        hub.publish(view)
        guard let (audience, dispatcher) = push.withLock({ $0 }) else { return }
        await audience.attend(publication)
        await dispatcher.publish(publication.push)
    }

    private func feed(of match: MatchID) async -> FeedID {
        if let known = feeds.withLock({ $0[match] }) { return known }
        let feed = (try? await journal.head(of: match))??.feed ?? FeedID(unchecked: "unknown")
        feeds.withLock { $0[match] = feed }
        return feed
    }
}

extension FeedConfiguration {
    /// The configured feed.
    fileprivate init(_ feed: ServerConfiguration.Feed) {
        let host = Self.host(of: feed.url)
        let plain = Set(feed.plainHTTPHosts)
        self.init(
            id: feed.id,
            baseURL: feed.url,
            adapter: CricsheetAdapter(),
            // A host that may be plain is one of this machine or its network.
            security: HostPolicy(hosts: [host], plainHosts: plain, privateHosts: plain)
        )
    }

    private static func host(of url: String) -> String {
        let rest = url.drop { $0 != ":" }.dropFirst(3)
        return String(rest.prefix { $0 != "/" && $0 != ":" })
    }
}
