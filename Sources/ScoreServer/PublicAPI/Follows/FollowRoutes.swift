// What a person follows lives on the phone; these routes bring the server to the same opinion.

import HTTPTypes
import Hummingbird
import MatchEngine
import NIOCore
import ScoreTypes

/// `/v1/devices/me/follows…`.
struct FollowRoutes: Sendable {
    /// Most matches of a list: the fifty that a device may follow, and as many that are over.
    static let listedMax = 100

    let follows: any FollowDirectory
    let matches: any MatchReader

    /// Adds the routes.
    func add(to router: Router<ServiceContext>, behind door: PublicDoor) {
        door.add(.get, "/v1/devices/me/follows", .device, .read, to: router) { try await list($0) }
        door.add(.put, "/v1/devices/me/follows", .device, .write, to: router) { try await replace($0) }
        door.add(.put, "/v1/devices/me/follows/{matchId}", .device, .write, to: router) { try await put($0) }
        door.add(.delete, "/v1/devices/me/follows/{matchId}", .device, .write, to: router) { try await remove($0) }
    }

    private func list(_ call: Call) async throws -> Response {
        try call.query.allow()
        let bytes = Self.bytes(of: try await follows.follows(of: call.owner()))
        let tag = "\"\(Hex.string(SecretDigest(of: bytes).bytes.prefix(8)))\""
        return Answer.conditional(
            call.request,
            tag: tag,
            cacheControl: "private, no-cache",
            body: ByteBuffer(bytes: bytes)
        )
    }

    private func put(_ call: Call) async throws -> Response {
        try call.query.allow()
        let device = try call.owner()
        let match = try call.parameter("matchId", as: MatchID.self)
        let body = try await call.json(max: BodyLimit.single)
        guard let view = try await matches.view(of: match) else {
            throw ServiceProblem(.notFound, "There is no such match.")
        }
        let (wish, sequence) = try Self.read(body, about: match, info: view.info)
        let outcome = try await follows.put(wish, device: device, clientSequence: sequence)
        return try Self.answer(outcome)
    }

    private static func read(
        _ body: JSONValue,
        about match: MatchID,
        info: MatchInfo
    ) throws(ServiceProblem) -> (FollowWish, Int64) {
        var fields = FieldReader(body)
        let wish = wish(match, &fields, info: info)
        let sequence = fields.integer("clientSeq", 0...Int64.max)
        try fields.finish()
        return (wish, sequence)
    }

    private static func answer(_ outcome: FollowOutcome) throws(ServiceProblem) -> Response {
        switch outcome {
        case .stored(let follow, let isNew): Answer.json(follow.json.bytes, status: isNew ? .created : .ok)
        case .stale(let newest, let current): throw ServiceProblem.stale(newest, current: current?.json)
        }
    }

    private func remove(_ call: Call) async throws -> Response {
        try call.query.allow("clientSeq")
        let match = try call.parameter("matchId", as: MatchID.self)
        let sequence = try call.clientSequence()
        let outcome = try await follows.remove(match, device: call.owner(), clientSequence: sequence)
        if case .stale(let newest, let current) = outcome { throw ServiceProblem.stale(newest, current: current?.json) }
        return Answer.empty()
    }

    private func replace(_ call: Call) async throws -> Response {
        try call.query.allow()
        let device = try call.owner()
        let body = try await call.json(max: BodyLimit.bulk)
        let known = try await infos(named: body)
        let (wishes, sequence) = try Self.readList(body, known: known)
        // What nobody knows is not stored; what its provider took back may return, and stays followed.
        let ignored = wishes.map(\.match).filter { known[$0] == nil }
        let outcome = try await follows.replaceAll(
            wishes.filter { known[$0.match] != nil },
            keeping: Set(ignored),
            device: device,
            clientSequence: sequence
        )
        return try Self.answer(outcome, ignored: ignored)
    }

    /// What is known of the matches that a list names, from the journal where memory has nothing.
    private func infos(named body: JSONValue) async throws -> [MatchID: MatchInfo] {
        guard case .array(let items) = body["follows"], items.count <= Self.listedMax else { return [:] }
        var infos: [MatchID: MatchInfo] = [:]
        for item in items {
            guard case .text(let text) = item["matchId"], let match = MatchID(text) else { continue }
            do {
                infos[match] = try await matches.view(of: match)?.info
            } catch let problem as ServiceProblem where problem.kind == .matchRemoved {
                continue
            }
        }
        return infos
    }

    private static func readList(
        _ body: JSONValue,
        known: [MatchID: MatchInfo]
    ) throws(ServiceProblem) -> ([FollowWish], Int64) {
        var fields = FieldReader(body)
        if !fields.has("follows") { fields.complain("follows", code: "missing", "expected a list") }
        let wishes = fields.listIfPresent("follows", max: listedMax) { inner in
            let match = inner.identity("matchId", as: MatchID.self)
            return wish(match, &inner, info: known[match])
        }
        let sequence = fields.integer("clientSeq", 0...Int64.max)
        if Set((wishes ?? []).map(\.match)).count != (wishes ?? []).count {
            fields.complain("follows", code: "duplicate", "expected each match once")
        }
        try fields.finish()
        return (wishes ?? [], sequence)
    }

    private static func answer(
        _ outcome: FollowListOutcome,
        ignored: [MatchID]
    ) throws(ServiceProblem) -> Response {
        switch outcome {
        case .stale(let newest): throw ServiceProblem.stale(newest)
        case .stored(let follows, let added, let removed, let outdated):
            let bytes = JSONWriter.document { json in
                json.key("items")
                json.array { json in for follow in follows { follow.json.write(into: &json) } }
                json.list("added", added)
                json.list("removed", removed)
                json.list("outdated", outdated)
                json.list("ignored", ignored)
            }
            return Answer.json(bytes)
        }
    }

    /// Reads what is wanted; a team is named by its id or its abbreviation, and nothing of a match that nobody knows.
    private static func wish(_ match: MatchID, _ fields: inout FieldReader, info: MatchInfo?) -> FollowWish {
        var intent: Int16 = 0
        if let team = fields.textIfPresent("teamIntent", bytes: 1...64) {
            let place = info?.teams.firstIndex { $0.id == team || $0.abbreviation == team }
            if let place {
                intent = place == 0 ? 1 : 2
            } else if info != nil {
                fields.complain("teamIntent", code: "unknown", "expected the id of one of the match's teams")
            }
        }
        let surfaces = fields.nested("surfaces") { inner in
            (
                activity: inner.flagIfPresent("liveActivity"),
                alerts: inner.choicesIfPresent("alerts", as: FollowAlert.self),
                others: Set(FollowSurface.allCases.filter { inner.flagIfPresent($0.rawValue) ?? true })
            )
        }
        return FollowWish(
            match: match,
            teamIntent: intent,
            alerts: surfaces?.alerts ?? Set(FollowAlert.allCases),
            wantsActivity: surfaces?.activity ?? true,
            surfaces: surfaces?.others ?? Set(FollowSurface.allCases)
        )
    }

    private static func bytes(of follows: [FollowView]) -> [UInt8] {
        JSONWriter.document { json in
            json.key("items")
            json.array { json in
                for follow in follows.sorted(by: { $0.wish.match < $1.wish.match }) { follow.json.write(into: &json) }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func list(_ name: StaticString, _ matches: [MatchID]) {
        key(name)
        array { json in for match in matches { json.string(match.text) } }
    }
}

extension FollowView {
    /// The follow as its owner sees it.
    var json: JSONValue {
        let alerts = FollowAlert.allCases.filter { wish.alerts.contains($0) }.map { JSONValue.text($0.rawValue) }
        func wants(_ surface: FollowSurface) -> JSONValue { .bool(wish.surfaces.contains(surface)) }
        let surfaces: JSONValue = .record([
            "liveActivity": .bool(wish.wantsActivity), "alerts": .array(alerts), "widget": wants(.widget),
            "control": wants(.control), "lockAccessory": wants(.lockAccessory), "standby": wants(.standby),
        ])
        let follow: JSONValue = .record([
            "matchId": .text(wish.match.text),
            "team": .integer(Int64(wish.teamIntent)),
            "surfaces": surfaces,
            "clientSeq": .integer(clientSequence),
            "changedAtMs": .integer(changedAt.milliseconds),
        ])
        guard let channel, case .object(let members) = follow else { return follow }
        return .object(members + [JSONValue.Member(name: "channelId", value: .text(channel.text))])
    }
}
