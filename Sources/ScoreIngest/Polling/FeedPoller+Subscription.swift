// Webhooks come only for matches that were subscribed, with providers that want it so.

internal import Logging
internal import MatchEngine
internal import Providers
internal import ScoreTypes

extension FeedPoller {
    /// Subscribes a match that is in play, once, and again after a failure; within the limits of all requests.
    ///
    /// Polls go on as they were: the cadence changes when the first notice comes.
    func subscribe(_ poll: MatchPoll, _ fixture: Fixture) async -> MatchPoll {
        let isInPlay = poll.phase == .live || poll.phase == .pause
        guard feed.isPushed, isInPlay, poll.subscription.isDue(now: clock.monotonic),
            case .success(let session) = await session(),
            let request = feed.adapter.subscription(to: fixture.id, session)
        else { return poll }
        var poll = poll
        switch await fetch(request, of: fixture.match, etag: nil) {
        case .body(let body, _):
            metrics.requested(.ok)
            do throws(AdapterError) {
                try feed.adapter.subscribed(ProviderReplies([request.part: body]))
                poll.subscription.succeeded()
            } catch {
                surroundings.logger.warning("not subscribed", metadata: place(fixture.match, ["reason": "\(error)"]))
                poll.subscription.failed(retryAfter: nil, clock: clock, jitter: surroundings.jitter())
            }
        case .notModified: poll.subscription.succeeded()
        case .refused(let wait): poll.subscription.postponed(max(wait, Self.sleepFloor), now: clock.monotonic)
        case .failed(let failure):
            let jitter = surroundings.jitter()
            poll.subscription.failed(retryAfter: failure.retryAfter, clock: clock, jitter: jitter)
        }
        return poll
    }
}
