// Webhooks reach any node and are forwarded to the one that polls the feed.

import Providers
import ScoreIngest
import ScoreTypes

/// Reads webhooks and passes them to the pollers.
struct NoticeIntake: NoticeReceiver {
    let ingest: IngestService
    let records: FeedRecords
    let settings: [FeedSettings]
    let clock: ServiceClock
    private let history = NoticeHistory()

    func secret(of feed: FeedID) -> SecretDigest? {
        settings.first { $0.id == feed && AdapterRegistry.push(of: $0.provider) != nil }?.noticeSecret
    }

    func take(_ body: [UInt8], feed: FeedID) async throws -> NoticeOutcome {
        guard let provider = settings.first(where: { $0.id == feed })?.provider,
            let read = AdapterRegistry.push(of: provider)
        else {
            throw ServiceProblem(.notFound)
        }
        let push: ProviderPush
        do throws(AdapterError) { push = try read(body) } catch {
            if case .tooLarge(let limit) = error {
                throw ServiceProblem(.payloadTooLarge, extras: ["limitBytes": .whole(limit)])
            }
            throw ServiceProblem.invalid(error.path ?? "", "the body cannot be read as \(provider.rawValue)")
        }
        if let ignored = history.take(body, sentAt: push.sentAt, feed: feed, now: clock.wall) { return ignored }
        guard await ingest.polls(feed) else {
            do { try await records.send(push.order(of: feed)) } catch {
                // The sender receives the failure and sends it again.
                history.forget(body, feed: feed)
                throw error
            }
            return .forwarded
        }
        await ingest.notice(feed, push.match, push)
        return .taken
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

    /// The order to the node that polls; a whole reply is too large for NOTIFY, so that node fetches it.
    fileprivate func order(of feed: FeedID) -> IngestOrder {
        switch self {
        case .notice(let notice): .notice(feed, notice)
        case .replies(let match, _): .poll(feed, match)
        }
    }

    /// Time of the call in seconds of the provider's clock; nil for a whole reply.
    fileprivate var sentAt: Int64? {
        if case .notice(let notice) = self { notice.sentAt } else { nil }
    }
}
