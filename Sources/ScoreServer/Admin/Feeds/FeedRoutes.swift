// An operator compares what a feed sent with what was published.

import Hummingbird
import ScoreIngest
import ScoreTypes

/// `GET /admin/api/v1/feeds/{id}` and its captures.
struct FeedRoutes: Sendable {
    let feeds: any FeedControl
    let captures: any CaptureLog

    /// Adds the routes.
    func add(to router: InternalRouter) {
        router.read(.feed) { call in
            let view = try await known(call)
            let matches = view.status.matches.map { JSONValue.text($0.text) }
            return Answer.json(JSONValue.record(["feed": view.json, "matchIds": .array(matches)]).bytes)
        }
        router.read(.feedCaptures) { call in try await list(call) }
        router.read(.feedCapture) { call in
            let view = try await known(call)
            let id = call.context.parameters.get("cid") ?? ""
            guard let capture = try await captures.capture(id, of: view.status.feed) else {
                throw ServiceProblem(.notFound, "This node has no such capture.")
            }
            return Answer.json(capture.json.bytes)
        }
    }

    private func known(_ call: Call) async throws -> FeedView {
        let feed = try call.parameter("id", as: FeedID.self)
        guard let view = await feeds.feeds().first(where: { $0.status.feed == feed }) else {
            throw ServiceProblem(.notFound)
        }
        return view
    }

    private func list(_ call: Call) async throws -> Response {
        let view = try await known(call)
        let limit = try call.query.integer("limit", 1...ServerLimits.capturesPerPage) ?? 50
        let time = try call.query.integer("at", 0...Int64.max)
        var match: MatchID?
        if let text = call.query["match"] {
            match = MatchID(text)
            guard match != nil else { throw ServiceProblem.invalid("match", "expected the id of a match") }
        }
        let stored = try await captures.captures(
            of: view.status.feed,
            about: match,
            at: time.map { Instant(milliseconds: $0) },
            limit: Int(limit)
        )
        return Answer.json(
            JSONValue.record([
                "stored": .bool(stored != nil), "items": .array((stored ?? []).map(\.json)),
            ]).bytes
        )
    }
}

extension StoredCapture {
    /// The entry for operators; a list has no texts.
    var json: JSONValue {
        let parts = bodies.map { body -> JSONValue in
            var members = [
                JSONValue.Member(name: "part", value: .text(body.part)),
                JSONValue.Member(name: "bytes", value: .whole(body.byteCount)),
            ]
            if !body.text.isEmpty {
                members.append(.init(name: "text", value: .text(body.text)))
                members.append(.init(name: "cut", value: .bool(body.isCut)))
            }
            return .object(members)
        }
        return .record([
            "id": .text(id), "kind": .text(kind), "at": .text(at.rfc3339),
            "matchId": match.map { .text($0.text) } ?? .null, "reason": reason.map { .text($0) } ?? .null,
            "bodies": .array(parts),
        ])
    }
}
