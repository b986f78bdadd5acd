// APNs serves channel management on a port of its own.

import HTTP2
import ScoreTypes

/// Serves `/1/apps/{bundle}/channels` and `/all-channels`; confined to its loop.
final class ChannelManagementServer: ServerDelegate {
    private struct Creation: Decodable {
        let policy: Int?
        let type: String
        enum CodingKeys: String, CodingKey {
            case policy = "message-storage-policy"
            case type = "push-type"
        }
    }

    private struct Answer {
        var status: Int
        var channel: ChannelID?
        var body: [UInt8] = []
    }

    private let base: String
    private let state: APNsState
    private let verifier: ProviderTokenVerifier
    private var directory: PushDirectory { state.directory }

    init(_ state: APNsState) {
        self.state = state
        base = "/1/apps/" + state.configuration.bundleID
        verifier = state.configuration.verifier
    }

    func server(didReceive request: borrowing ServerRequest) {
        let headers = PushHeaders(request)
        let answer: Answer
        do throws(PushRefusal) {
            let (connection, now) = (request.stream.connection, state.clock.wall.seconds)
            try connection.trust.verify(
                headers.authorization,
                by: verifier,
                now: now,
                on: connection,
                notingIn: state.history
            )
            if let id = headers.requestID, !id.isCanonicalUUID { throw .badMessageID }
            guard directory.hasBroadcastCapability else { throw .featureNotEnabled }
            answer = try serve(request, headers)
        } catch {
            answer = Answer(status: error.status, body: error.body)
        }
        let id = headers.requestID?.text ?? Self.mintID()
        var fields = [HeaderField("apns-request-id", id, isIndexed: false)]
        if let channel = answer.channel {
            fields.append(HeaderField("apns-channel-id", channel.text, isIndexed: false))
        }
        request.stream.respond(
            status: answer.status,
            fixed: HeaderTemplate(fields),
            body: answer.body.isEmpty ? nil : BodyBytes(answer.body)
        )
    }

    private func serve(_ request: borrowing ServerRequest, _ headers: PushHeaders) throws(PushRefusal) -> Answer {
        switch (request.method.text, request.path.text) {
        case ("POST", base + "/channels"):
            return Answer(status: 201, channel: try create([UInt8](request.body)))
        case ("GET", base + "/channels"):
            guard let policy = directory.policy(of: try named(headers)) else { throw .unknownChannel }
            let body = JSONWriter.document { json in
                json.field("message-storage-policy", policy)
                json.field("push-type", "LiveActivity")
            }
            return Answer(status: 200, body: body)
        case ("DELETE", base + "/channels"):
            guard directory.delete(try named(headers)) else { throw .unknownChannel }
            return Answer(status: 204)
        case ("GET", base + "/all-channels"): return Answer(status: 200, body: list())
        case (_, base + "/channels"), (_, base + "/all-channels"): throw .methodNotAllowed
        case (_, let path):
            throw path.hasPrefix("/1/apps/") && !path.hasPrefix(base + "/") ? .topicDisallowed : .badPath
        }
    }

    private func create(_ body: [UInt8]) throws(PushRefusal) -> ChannelID {
        guard !body.isEmpty else { throw .payloadEmpty }
        guard let wish = try? JSONElement.read(Creation.self, from: body), wish.type == "LiveActivity" else {
            throw .badRequestPayload
        }
        guard let policy = wish.policy else { throw .missingStoragePolicy }
        guard [0, 1].contains(policy) else { throw .badRequestPayload }
        guard let channel = directory.create(policy: policy) else { throw .tooManyChannels }
        return channel
    }

    private func named(_ headers: PushHeaders) throws(PushRefusal) -> ChannelID {
        guard let text = headers.channel?.text else { throw .missingChannel }
        guard let channel = ChannelID(text) else { throw .badChannelID }
        return channel
    }

    private func list() -> [UInt8] {
        JSONWriter.document { json in
            json.array("channels") { list in directory.channels.forEach { list.string($0.text) } }
        }
    }

    private static func mintID() -> String {
        var generator = SystemRandomNumberGenerator()
        return DeviceID(using: &generator).description
    }
}
