// A small server with the sequence rules of the real one, for histories of changes.

import Foundation

@testable import ScoreClient

/// One device at the server; each resource compares sequence numbers as `FollowWriter` and `DeviceStatements` do.
struct ModelServer: Sendable {
    struct Follow: Sendable, Hashable {
        var body: Data?
        var sequence: Int64
        var changedAt: Int64
    }

    struct Token: Sendable, Hashable {
        var text: String?
        var sequence: Int64
    }

    private(set) var follows: [String: Follow] = [:]
    private(set) var tokens: [String: Token] = [:]
    private(set) var credentials: Set<String> = []
    private var registrations: [String: String] = [:]
    /// Registrations; a repeated key after the loss of the device makes another credential.
    private var registered = 0
    private var rotations: [String: String] = [:]
    private var rotated = 0
    private var time: Int64 = 0
    /// Whether the server has the routes that an older one has not.
    var hasRotation = false
    var hasReceipts = true
    /// The answers to reports.
    var reconcileAnswer = "{}"
    /// The channel that answers about follows name.
    var channel: String?
    var activityAnswer = "{}"

    /// The device is erased: its credential is unknown from now on.
    mutating func forgetDevice() {
        (follows, tokens, credentials, registrations) = ([:], [:], [], [:])
    }

    /// A previous installation of the device had greater numbers.
    mutating func store(_ match: String, sequence: Int64, changedAt: Int64) {
        follows[match] = Follow(body: Data("{}".utf8), sequence: sequence, changedAt: changedAt)
    }

    mutating func answer(_ request: ClientRequest, at wall: Int64) -> ClientResponse {
        time = wall
        let path = request.path.split(separator: "/").map(String.init)
        if request.path == "/v1/client-config" { return ClientResponse(status: 200, body: Data("{}".utf8)) }
        if request.path == "/v1/devices" { return register(request) }
        guard let header = request.headers["authorization"], credentials.contains(String(header.dropFirst(7))) else {
            return problem(401, "invalid-credential")
        }
        if path.count == 5, path[3] == "follows" { return follow(path[4], request) }
        if path.count == 5, path[3] == "push-tokens" { return token(path[4], request) }
        if path.last == "follows" { return list() }
        if path.last == "reconcile" { return ClientResponse(status: 200, body: Data(reconcileAnswer.utf8)) }
        if path.last == "rotate", hasRotation { return rotate(request) }
        if path.last == "telemetry", hasReceipts { return ClientResponse(status: 204) }
        if path.count == 5, path[3] == "activities" {
            return request.method == .put
                ? ClientResponse(status: 200, body: Data(activityAnswer.utf8)) : ClientResponse(status: 204)
        }
        if path.last == "me", request.method == .patch { return ClientResponse(status: 200) }
        if path.last == "me", request.method == .delete {
            forgetDevice()
            return ClientResponse(status: 204)
        }
        return problem(404, "not-found")
    }

    private mutating func register(_ request: ClientRequest) -> ClientResponse {
        let key = request.headers["idempotency-key"] ?? ""
        let credential = registrations[key] ?? "ssd1.\(key).\(registered)"
        registered += 1
        registrations[key] = credential
        credentials.insert(credential)
        return json(201, ["credential": credential])
    }

    /// A repeated key has the same answer while its credential is known.
    private mutating func rotate(_ request: ClientRequest) -> ClientResponse {
        let key = request.headers["idempotency-key"] ?? ""
        let credential = rotations[key] ?? "ssd1.rotated.\(rotated)"
        rotated += 1
        rotations[key] = credential
        credentials.insert(credential)
        return json(200, ["credential": credential])
    }

    /// The credentials that a rotation has replaced are not valid any more.
    mutating func expireOldCredentials() { credentials = credentials.filter { rotations.values.contains($0) } }

    /// Another server does not know the keys of rotations.
    mutating func forgetRotationKeys() { rotations = [:] }

    private mutating func follow(_ match: String, _ request: ClientRequest) -> ClientResponse {
        let isFollow = request.method == .put
        let sequence = Self.sequence(of: request)
        if let stored = follows[match], stored.sequence >= sequence {
            if stored.sequence == sequence, stored.body == (isFollow ? request.body : nil) {
                return isFollow ? json(200, item(match, stored)) : ClientResponse(status: 204)
            }
            var members: [String: any Sendable] = ["clientSeq": stored.sequence]
            if stored.body != nil { members["current"] = item(match, stored) }
            return problem(409, "stale-client-sequence", members)
        }
        let stored = Follow(body: isFollow ? request.body : nil, sequence: sequence, changedAt: time)
        follows[match] = stored
        return isFollow ? json(200, item(match, stored)) : ClientResponse(status: 204)
    }

    private mutating func token(_ kind: String, _ request: ClientRequest) -> ClientResponse {
        let sequence = Self.sequence(of: request)
        let text = request.body.flatMap { ClientJSON.decode([String: Field].self, from: $0) }?["token"]?.text
        if let stored = tokens[kind], stored.sequence >= sequence {
            if stored == Token(text: text, sequence: sequence) { return json(200, [:]) }
            return problem(409, "stale-client-sequence", ["clientSeq": stored.sequence])
        }
        tokens[kind] = Token(text: text, sequence: sequence)
        return json(200, [:])
    }

    private func list() -> ClientResponse {
        let items = follows.filter { $0.value.body != nil }.map { item($0.key, $0.value) }
        return json(200, ["items": items])
    }

    private func item(_ match: String, _ follow: Follow) -> [String: any Sendable] {
        var members: [String: any Sendable] = [
            "matchId": match, "clientSeq": follow.sequence, "changedAtMs": follow.changedAt,
        ]
        let body = follow.body.flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: any Sendable] }
        if let channel { members["channelId"] = channel }
        for name in ["surfaces", "teamIntent"] { if let value = body?[name] { members[name] = value } }
        return members
    }

    private static func sequence(of request: ClientRequest) -> Int64 {
        if let text = request.query.first(where: { $0.name == "clientSeq" })?.value { return Int64(text) ?? -1 }
        let body = request.body.flatMap { ClientJSON.decode([String: Field].self, from: $0) }
        return body?["clientSeq"]?.number ?? -1
    }

    private func json(_ status: Int, _ members: [String: any Sendable]) -> ClientResponse {
        let body = try? JSONSerialization.data(withJSONObject: members)
        return ClientResponse(status: status, body: body ?? Data())
    }

    private func problem(_ status: Int, _ slug: String, _ members: [String: any Sendable] = [:]) -> ClientResponse {
        json(status, members.merging(["type": "/v1/problems/\(slug)"]) { $1 })
    }

    /// A number or a text of a body; anything else is neither.
    private struct Field: Decodable {
        var number: Int64?
        var text: String?

        init(from decoder: any Decoder) throws {
            let value = try? decoder.singleValueContainer()
            number = try? value?.decode(Int64.self)
            text = try? value?.decode(String.self)
        }
    }
}
