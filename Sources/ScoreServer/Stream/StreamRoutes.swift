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
        router.read("/v1/matches/{id}/stream", .streamOpen) { call in
            try await open(call, [call.parameter("id", as: MatchID.self)], isSingle: true)
        }
        router.read("/v1/stream", .streamOpen) { call in
            try await open(call, Self.matches(in: call.query["matches"]), isSingle: false)
        }
    }

    private func open(_ call: Call, _ ids: [MatchID], isSingle: Bool) async throws -> Response {
        try useNode(for: call)
        let mode = try StreamMode(reading: call.query.value("mode"))
        let claim = call.request.headers[.lastEventID] ?? call.query["lastEventId"]
        let positions = claim.map { StreamPositions(reading: $0, matches: ids, isSingle: isSingle) }
        let views = try await views(of: ids, reaching: positions)
        let lacksBalls = mode == .balls && views.contains { positions?.isBehind($0.revision, of: $0.match) == true }
        if !lacksBalls && views.allSatisfy({ $0.publication.isFinal }) { return Answer.empty() }
        if call.request.method == .head { return Response(status: .ok, headers: Self.headers(.fresh)) }
        let party = call.device.map { .device($0) } ?? call.address.party
        let ticket = try hub.enter(ids, party: party, factor: limiter.factor(of: party))
        let starts: [BallsStart]? =
            if mode == .balls { await replay.starts(of: views, claimed: positions) } else { nil }
        let resume =
            starts.map { StreamOpening.worst($0.map(\.resume)) } ?? StreamOpening.resume(views, from: positions)
        let (hub, matches, node, channel) = (hub, matches, node, call.context.channel)
        let body = ResponseBody { _ in
            let socket = try await StreamSocket.take(from: channel, acknowledgement: hub.timing.acknowledgement)
            // A match that left the cache meanwhile keeps the state that was read above.
            let heads = { @Sendable in views.map { (try? matches.cachedView(of: $0.match)) ?? $0 } }
            hub.open(
                NewStream(
                    ticket: ticket,
                    socket: socket,
                    matches: ids,
                    isSingle: isSingle,
                    claimed: positions,
                    balls: starts,
                    node: node,
                    heads: heads
                )
            )
            throw StreamHandedOver()
        }
        return Response(status: .ok, headers: Self.headers(resume), body: body)
    }

    /// Takes an opening of the node.
    ///
    /// A client that the node refuses tries again, which must not spend the client's own quota.
    private func useNode(for call: Call) throws(ServiceProblem) {
        do {
            try limiter.use(.streamOpenAll, by: .node)
        } catch {
            if let device = call.device {
                limiter.giveBack(.streamOpen, by: .device(device))
            } else {
                limiter.giveBack(.streamOpenAddress, by: call.address.party)
            }
            throw error
        }
    }

    private var replay: BallsReplay {
        BallsReplay(history: hub.history, matches: matches, deadline: ServerLimits.replayDeadline)
    }

    /// The newest views; a client that comes from a node which was a moment ahead waits for this node.
    private func views(of ids: [MatchID], reaching positions: StreamPositions?) async throws -> [MatchView] {
        let end = clock.monotonic + ServerLimits.otherNodeLead
        var newest = try await views(of: ids)
        while newest.contains(where: { positions?.isAhead(of: $0.revision, of: $0.match) == true }) {
            guard clock.monotonic < end else { break }
            try await Task.sleep(for: ServerLimits.otherNodeLook)
            newest = try await views(of: ids)
        }
        return newest
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
            .accelBuffering: "no", .streamResume: resume.rawValue, .connection: "close",
        ]
    }
}

/// Ends the HTTP connection of a stream whose socket a loop has.
struct StreamHandedOver: Error {}
