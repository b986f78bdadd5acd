// Apple's door for channel management, on its own port.

import Foundation
import HTTP2
import ScoreTypes

/// Serves `/1/apps/{bundle}/channels` and `/all-channels`; confined to its loop.
final class ChannelDesk: ServerDelegate {
    private struct Creation: Decodable {
        let policy: Int
        let type: String
        enum CodingKeys: String, CodingKey {
            case policy = "message-storage-policy"
            case type = "push-type"
        }
    }

    private let base: String
    private let directory: PushDirectory
    private let clock: ServiceClock
    private var verifier: ProviderTokenVerifier

    init(_ configuration: APNsSimulatorConfiguration, directory: PushDirectory, clock: ServiceClock) {
        base = "/1/apps/" + configuration.bundleID
        verifier = configuration.verifier
        self.directory = directory
        self.clock = clock
    }

    func server(didReceive request: ServerRequest) {
        let id = [(name: "apns-request-id", value: request.headers.text("apns-request-id") ?? "")]
        do throws(PushRefusal) {
            try verify(request.headers)
            switch (request.method, request.path) {
            case ("POST", base + "/channels"):
                let channel = try create(request.body)
                request.stream.respond(status: 201, headers: id + [(name: "apns-channel-id", value: channel.text)])
            case ("GET", base + "/channels"):
                guard let policy = directory.policy(of: try named(request)) else { throw .unknownChannel }
                let body = JSONWriter.document { json in
                    json.field("message-storage-policy", policy)
                    json.field("push-type", "LiveActivity")
                }
                request.stream.respond(status: 200, headers: id, body: body)
            case ("DELETE", base + "/channels"):
                guard directory.delete(try named(request)) else { throw .unknownChannel }
                request.stream.respond(status: 204, headers: id)
            case ("GET", base + "/all-channels"):
                request.stream.respond(status: 200, headers: id, body: list())
            default: throw request.path.hasPrefix(base) ? .methodNotAllowed : .badPath
            }
        } catch {
            request.stream.respond(status: error.status, headers: id, body: error.body)
        }
    }

    private func create(_ body: [UInt8]) throws(PushRefusal) -> ChannelID {
        guard let wish = try? JSONDecoder().decode(Creation.self, from: Data(body)), [0, 1].contains(wish.policy),
            wish.type == "LiveActivity"
        else { throw .badRequestPayload }
        guard let channel = directory.create(policy: wish.policy) else { throw .tooManyChannels }
        return channel
    }

    private func named(_ request: ServerRequest) throws(PushRefusal) -> ChannelID {
        guard let channel = request.headers.text("apns-channel-id").flatMap({ ChannelID($0) }) else {
            throw .missingChannel
        }
        return channel
    }

    private func list() -> [UInt8] {
        JSONWriter.document { json in
            json.key("channels")
            json.array { list in directory.channels.forEach { list.string($0.text) } }
        }
    }

    private func verify(_ headers: HeaderBlock) throws(PushRefusal) {
        let now = clock.wall.seconds
        let result = headers.withValue("authorization") { value -> Result<Void, PushRefusal> in
            do throws(PushRefusal) {
                try verifier.verify(value, now: now)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }
}
