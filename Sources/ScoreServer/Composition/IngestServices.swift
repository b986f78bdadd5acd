// The path of a ball from the provider's reply to its publication is wired here.

import CurlTransfer
import MatchJournal
import Postgres
import ScoreIngest
import ScoreTypes

/// The services that poll feeds, journal what they report, and publish it.
struct IngestServices: Sendable {
    let polling: IngestService
    /// Ticks matches that no poller ticks.
    let ticker: MatchTicker
    let publisher: Publisher
    /// How long feeds leave mistakes, and what stores it.
    let evidence: CorrectionEvidence
    let learning: EvidenceService
    let orders: IngestOrderListener
    /// nil when none are stored.
    let captures: CaptureStore?

    init(
        _ settings: ServerConfiguration,
        journal: Journal,
        publications: PublicationCache,
        database: ConnectionInfo,
        membership: Membership,
        distributor: PublicationDistributor,
        clock: ServiceClock
    ) {
        let publisher = Self.publisher(publications, database, distributor)
        let feeds = settings.feeds.map { FeedConfiguration($0) }
        let leases = Dictionary(feeds.map { ($0.id, $0.duty) }) { first, _ in first }
        let captures = CaptureStore(settings, clock: clock)
        // An intake chooses among the feeds of its match; its writer journals a reply in one fenced transaction.
        let precedence = Dictionary(feeds.map { ($0.id, $0.precedence) }) { first, _ in first }
        let evidence = CorrectionEvidence(target: settings.falseAlerts)
        let intakes = MatchIntakes(precedence: precedence, clock: clock) { match, feed in
            MatchWriter(
                match: match,
                feed: feed,
                journal: journal,
                fence: { membership.fence(lease: leases[feed] ?? "feed:\(feed)") },
                clock: clock,
                options: settings.engine,
                evidence: evidence,
                record: captures?.recorder,
                committed: { publisher.wake($0) }
            )
        }
        let mayPoll: @Sendable (FeedID) async -> Bool = { await Self.acquire($0, lease: leases[$0], membership) }
        let (polled, aliases) = (Set(leases.keys), AliasCache())
        let ticker = MatchTicker(journal: journal, intakes: intakes, clock: clock, polled: polled, acquire: mayPoll) {
            try? await membership.release(lease: "feed:\($0)")
        }
        polling = IngestService(
            feeds: feeds,
            driver: TransferDriver(name: "feeds"),
            clock: clock,
            mayPoll: mayPoll,
            gained: { ticker.gained($0) },
            makeSink: { match, feed in await intakes.open(match, feed) },
            unfinished: { try await journal.unfinished(of: $0) },
            aliases: { aliases.table },
            capture: { (capture: FeedCapture) in captures?.take(capture) }
        )
        orders = IngestOrderListener(
            info: database,
            ingest: polling,
            ticker: ticker,
            table: { try await AliasRecords(pool: journal.connections).table() },
            aliases: aliases,
            captured: { table in captures?.take(table, of: feeds, at: clock.wall) },
            paused: { Set(try await FeedRecords(pool: journal.connections).pausedReasons().keys) }
        )
        (self.publisher, self.ticker, self.captures, self.evidence) = (publisher, ticker, captures, evidence)
        learning = EvidenceService(evidence, records: EvidenceRecords(pool: journal.connections))
    }

    private static func publisher(
        _ publications: PublicationCache,
        _ database: ConnectionInfo,
        _ distributor: PublicationDistributor
    ) -> Publisher {
        Publisher(publications, info: database) {
            await distributor.update(from: $0)
        } deleted: {
            distributor.forget($0)
        } outlet: {
            await distributor.publish($0)
        }
    }

    /// Acquires the lease of a feed, which the feeds of its group share, and the lease of its name.
    ///
    /// By the second one nodes whose settings do not have the feed know that it is polled.
    private static func acquire(_ feed: FeedID, lease: String?, _ membership: Membership) async -> Bool {
        let name = "feed:\(feed)"
        if let lease, lease != name {
            guard (try? await membership.acquire(lease: lease)) == true else { return false }
            _ = try? await membership.acquire(lease: name)
            return true
        }
        return (try? await membership.acquire(lease: name)) ?? false
    }
}
