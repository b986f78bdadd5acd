// Apps in the foreground follow one or several matches by a stream.

import HTTPTypes
import Hummingbird
import MatchJournal
import NIOCore
import ScoreTypes

/// `GET /v1/matches/{id}/stream` and `GET /v1/stream?matches=…`.
struct StreamRoutes: Sendable {
    let hub: StreamHub
    let matches: MatchCache
    let limiter: RateLimiter
    let node: NodeID
    let clock: ServiceClock

    /// Adds the routes.
    func add(to router: PublicRouter) {
        router.add(.get, "/v1/matches/{id}/stream", .anybody, .streamOpen, query: nil) { call in
            try await open(call, [call.parameter("id", as: MatchID.self)], isSingle: true)
        }
        router.add(.get, "/v1/stream", .anybody, .streamOpen, query: nil) { call in
            try await open(call, Self.matches(in: call.query["matches"]), isSingle: false)
        }
    }

    private func open(_ call: Call, _ ids: [MatchID], isSingle: Bool) async throws -> Response {
        try limiter.use(.streamOpenAll, by: .node)
        let views = try await views(of: ids)
        if views.allSatisfy({ $0.publication.isFinal }) { return Answer.empty() }
        if call.request.method == .head { return Response(status: .ok, headers: Self.headers(.fresh)) }
        let claim = call.request.headers[.lastEventID] ?? call.query["lastEventId"]
        let positions = StreamPositions(reading: claim, matches: ids, isSingle: isSingle)
        let subscriber = StreamSubscriber(
            matches: ids,
            positions: StreamPositions(isSingle: isSingle),
            timing: hub.timing,
            now: clock.monotonic
        )
        let party = call.device.map { .device($0) } ?? call.address.party
        let registration = try hub.enter(subscriber, channel: call.context.channel, party: party)
        await Self.keepBuffersSmall(call.context.channel)
        // Registered before the read, so that states in between wait in the mailbox.
        let heads = try await self.views(of: ids)
        let opening = StreamOpening(
            heads: heads,
            claimed: claim == nil ? nil : positions,
            isSingle: isSingle,
            timing: hub.timing,
            node: node,
            now: clock.wall
        )
        for frame in opening.frames { subscriber.markSent(frame) }
        hub.metrics.opened(opening.resume)
        let session = StreamSession(
            subscriber: subscriber,
            registration: registration,
            opening: opening.buffers,
            metrics: hub.metrics,
            clock: clock
        )
        return Response(status: .ok, headers: Self.headers(opening.resume), body: session.body(of: call.request))
    }

    private func views(of ids: [MatchID]) async throws -> [MatchView] {
        var views: [MatchView] = []
        for id in ids {
            views.append(try await matches.existingView(of: id))
        }
        return views
    }

    private static func matches(in text: String?) throws(ServiceProblem) -> [MatchID] {
        let words = (text ?? "").split(separator: ",", omittingEmptySubsequences: false)
        let ids = words.compactMap { MatchID(String($0)) }
        guard ids.count == words.count, Set(ids).count == ids.count,
            (1...ServerLimits.matchesPerStream).contains(ids.count)
        else {
            throw .invalid(
                "matches",
                "expected 1 to \(ServerLimits.matchesPerStream) different ids, separated by commas"
            )
        }
        return ids
    }

    private static func headers(_ resume: StreamResume) -> HTTPFields {
        [
            .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store, no-transform",
            .accelBuffering: "no", .streamResume: resume.rawValue,
        ]
    }

    private static func keepBuffersSmall(_ channel: any Channel) async {
        let marks = ChannelOptions.Types.WriteBufferWaterMark(low: 1, high: ServerLimits.unsentStreamBytes)
        // A socket that refuses an option only buffers more than it should.
        try? await channel.setOption(.writeBufferWaterMark, value: marks).get()
        try? await channel.setOption(.socketOption(.so_sndbuf), value: ServerLimits.streamSocketBytes).get()
    }
}
