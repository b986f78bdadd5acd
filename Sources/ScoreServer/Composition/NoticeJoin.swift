// What a provider posts goes to the poller of its feed, on whichever node that is.

import MatchJournal
import Postgres
import Providers
import ScoreIngest
import ScoreTypes

/// Joins the webhook with the pollers.
struct NoticeJoin: NoticeReceiver {
    let ingest: IngestService
    let feeds: [FeedID: FeedSettings]
    let pool: Pool
    let clock: ServiceClock
    let ledger = NoticeHistory()

    init(ingest: IngestService, feeds: [FeedSettings], pool: Pool, clock: ServiceClock) {
        self.ingest = ingest
        self.feeds = Dictionary(feeds.map { ($0.id, $0) }) { first, _ in first }
        self.pool = pool
        self.clock = clock
    }

    func secret(of feed: FeedID) -> SecretDigest? {
        guard let settings = feeds[feed], AdapterRegistry.push(of: settings.provider) != nil else { return nil }
        return settings.noticeSecret
    }

    func take(_ body: [UInt8], feed: FeedID) async throws -> NoticeOutcome {
        guard let settings = feeds[feed], let read = AdapterRegistry.push(of: settings.provider) else {
            throw ServiceProblem(.notFound)
        }
        let push: ProviderPush
        do throws(AdapterError) { push = try read(body) } catch {
            throw ServiceProblem.invalid(error.path ?? "", "the body cannot be read as \(settings.provider.rawValue)")
        }
        switch ledger.judge(body, sentAt: push.sentAt, feed: feed, now: clock.wall) {
        case .repeat: return .repeated
        case .late: return .late
        case .fresh: break
        }
        guard await ingest.polls(feed) else {
            let order = push.order(of: feed)
            do {
                _ = try await pool.query(SQL.notify, [.text(IngestOrder.channel), .text(order.payload)]) { _ in () }
            } catch {
                // Its sender is told that it failed, and sends it again.
                ledger.forget(body, feed: feed)
                throw error
            }
            return .forwarded
        }
        await ingest.notice(feed, push.match, push)
        return .taken
    }

    private enum SQL {
        static let notify = Statement("select pg_notify($1, $2)")
    }
}

extension ProviderPush {
    /// The match that it is about.
    fileprivate var match: ProviderMatchID {
        switch self {
        case .notice(let notice): notice.match
        case .replies(let match, _): match
        }
    }

    /// What the node that polls is asked for; the whole picture is too large for a notification, and it can ask for it.
    fileprivate func order(of feed: FeedID) -> IngestOrder {
        switch self {
        case .notice(let notice): .notice(feed, notice)
        case .replies(let match, _): .poll(feed, match)
        }
    }

    /// When it was sent, by the provider's clock.
    fileprivate var sentAt: Int64? {
        if case .notice(let notice) = self { notice.sentAt } else { nil }
    }
}
