// The live stream of a match, or of a few, for apps in the foreground.

import HTTPTypes
import Hummingbird
import Metrics
import NIOCore
import ScoreTypes

/// `GET /v1/matches/{id}/stream` and `GET /v1/stream?matches=…`.
struct StreamRoutes: Sendable {
    /// Bytes that may wait in our memory for one reader before it counts as slow: a few states.
    static let unsentBytesMax = 8 * 1024
    /// Bytes that the kernel may keep for one reader; more would only be older news.
    static let socketBytesMax: ChannelOptions.Types.SocketOption.Value = 64 * 1024

    let hub: StreamHub
    let matches: any MatchReader
    let limiter: RateLimiter
    let node: NodeID
    let clock: ServiceClock

    /// Adds the routes.
    func add(to router: Router<ServiceContext>, behind door: PublicDoor) {
        door.add(.get, "/v1/matches/{id}/stream", .anybody, .streamOpen, to: router) { call in
            try await open(call, [call.parameter("id", as: MatchID.self)], isSingle: true)
        }
        door.add(.get, "/v1/stream", .anybody, .streamOpen, to: router) { call in
            try await open(call, Self.matches(in: call.query["matches"]), isSingle: false)
        }
    }

    private func open(_ call: Call, _ ids: [MatchID], isSingle: Bool) async throws -> Response {
        try limiter.use(.streamOpenAll, by: "node")
        let views = try await views(of: ids)
        if views.allSatisfy({ $0.news.isFinal }) { return Answer.empty() }
        if call.request.method == .head { return Response(status: .ok, headers: Self.headers(.fresh)) }
        let claim = call.request.headers[.lastEventID] ?? call.query["lastEventId"]
        let positions = StreamPositions(reading: claim, matches: ids, isSingle: isSingle)
        let subscriber = StreamSubscriber(
            matches: ids,
            positions: StreamPositions(isSingle: isSingle),
            timing: hub.timing,
            now: clock.monotonic
        )
        let party = StreamHub.Party(
            name: call.device?.description ?? call.address.prefix,
            isDevice: call.device != nil
        )
        let seat = try hub.enter(subscriber, channel: call.context.channel, party: party)
        await Self.keepBuffersSmall(call.context.channel)
        // Attached first, read afterwards: what comes in between waits in the mailbox.
        let heads = try await self.views(of: ids)
        let greeting = StreamGreeting(
            heads: heads,
            claimed: claim == nil ? nil : positions,
            isSingle: isSingle,
            timing: hub.timing,
            node: node,
            now: clock.wall
        )
        for frame in greeting.told { subscriber.told(frame) }
        let dimensions = [("resume", greeting.resume.rawValue)]
        Counter(label: "score_sse_opens_total", dimensions: dimensions).increment()
        let session = StreamSession(subscriber: subscriber, seat: seat, opening: greeting.buffers, clock: clock)
        return Response(status: .ok, headers: Self.headers(greeting.resume), body: session.body(of: call.request))
    }

    private func views(of ids: [MatchID]) async throws -> [MatchView] {
        var views: [MatchView] = []
        for id in ids {
            guard let view = try await matches.view(of: id) else {
                throw ServiceProblem(.notFound, "There is no such match.")
            }
            views.append(view)
        }
        return views
    }

    private static func matches(in text: String?) throws(ServiceProblem) -> [MatchID] {
        let words = (text ?? "").split(separator: ",", omittingEmptySubsequences: false)
        let ids = words.compactMap { MatchID(String($0)) }
        guard ids.count == words.count, Set(ids).count == ids.count,
            (1...StreamPositions.matchesMax).contains(ids.count)
        else {
            throw .invalid("matches", "expected 1 to \(StreamPositions.matchesMax) different ids, separated by commas")
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
        let marks = ChannelOptions.Types.WriteBufferWaterMark(low: 1, high: unsentBytesMax)
        // A socket that refuses an option only buffers more than it should.
        try? await channel.setOption(.writeBufferWaterMark, value: marks).get()
        try? await channel.setOption(.socketOption(.so_sndbuf), value: socketBytesMax).get()
    }
}
