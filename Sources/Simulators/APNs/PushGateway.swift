// Apple's push door: every request is checked as Apple would, answered, and what is accepted reaches its phones.

import HTTP2
import ScoreTypes
import Synchronization

/// Serves `/3/device/{token}` and `/4/broadcasts/apps/{bundle}`; confined to its loop.
final class PushGateway: ServerDelegate {
    /// Streams that a client may open before its first accepted request.
    static let streamsAtFirst = 1
    /// Streams that a client may open afterwards.
    static let streamsLater = 1_000
    /// Longest broadcast payload, in bytes.
    static let broadcastMax = 5_120

    private let check: DeviceRequestCheck
    private let broadcastPath: String
    private let directory: PushDirectory
    private let ledger: PushBook
    private let clock: ServiceClock
    private var verifier: ProviderTokenVerifier
    private var inspector = PayloadInspector()
    private var warm: Set<ObjectIdentifier> = []

    init(_ configuration: APNsSimulatorConfiguration, directory: PushDirectory, ledger: PushBook, clock: ServiceClock) {
        check = DeviceRequestCheck(bundleID: configuration.bundleID)
        broadcastPath = "/4/broadcasts/apps/" + configuration.bundleID
        verifier = configuration.verifier
        self.directory = directory
        self.ledger = ledger
        self.clock = clock
    }

    func server(didReceive request: ServerRequest) {
        let isBroadcast = request.path.hasPrefix("/4/")
        let target = isBroadcast ? "broadcast" : "device"
        do throws(PushRefusal) {
            guard request.method == "POST" else { throw .methodNotAllowed }
            if isBroadcast { try broadcast(request) } else { try push(request) }
            warmUp(request.stream.connection)
        } catch {
            ledger.with { $0.refuse(error, target: target) }
            let headers = [(name: "apns-id", value: request.headers.text("apns-id") ?? "")]
            request.stream.respond(status: error.status, headers: headers, body: error.body)
        }
    }

    func server(didClose connection: ServerConnection) { warm.remove(ObjectIdentifier(connection)) }

    private func push(_ request: ServerRequest) throws(PushRefusal) {
        guard request.path.hasPrefix(DeviceRequestCheck.pathPrefix) else { throw .badPath }
        try verify(request.headers)
        let wanted = try check.check(request.headers, body: request.body)
        guard let token = Hex.bytes(request.path.dropFirst(DeviceRequestCheck.pathPrefix.count)), !token.isEmpty,
            let entry = directory.entry(token)
        else { throw .badDeviceToken }
        guard let payload = inspector.inspect(request.body) else { throw .payloadEmpty }
        switch entry {
        case .dead(let since): throw PushRefusal(410, "Unregistered", timestamp: since)
        case .alive(let kind, let deliver):
            guard (kind != .alert) == wanted.isLiveActivity else { throw .notForTopic }
            let isExpected = wanted.isLiveActivity ? (payload.event == "start") == (kind == .pushToStart) : true
            let now = clock.monotonic
            ledger.with { $0.accept(payload, target: "device", priority: wanted.priority, at: now) }
            let id = request.headers.text("apns-id") ?? ""
            request.stream.respond(status: 200, headers: [(name: "apns-id", value: id)])
            if payload.trap == nil && isExpected { deliver(PhonePush(body: request.body)) }
        }
    }

    private func broadcast(_ request: ServerRequest) throws(PushRefusal) {
        guard request.path == broadcastPath else { throw .badPath }
        try verify(request.headers)
        guard let channel = request.headers.text("apns-channel-id").flatMap({ ChannelID($0) }) else {
            throw .missingChannel
        }
        guard let type = request.headers.text("apns-push-type") else { throw .missingPushType }
        guard type == "liveactivity" else { throw .invalidPushType }
        guard let expiration = request.headers.text("apns-expiration").flatMap({ Int64($0) }) else {
            throw .badExpiration
        }
        let priority = try DeviceRequestCheck.priority(request.headers)
        guard let policy = directory.policy(of: channel), let phones = directory.subscribers(of: channel) else {
            throw .unknownChannel
        }
        guard (policy == 0) == (expiration == 0) else { throw .badExpiration }
        guard !request.body.isEmpty else { throw .payloadEmpty }
        guard request.body.count <= Self.broadcastMax else { throw .payloadTooLarge }
        guard var payload = inspector.inspect(request.body) else { throw .payloadEmpty }
        if payload.event == "start" { payload.trap = "start by broadcast" }
        // ActivityKit drops what is larger, whatever the channel takes.
        if request.body.count > DeviceRequestCheck.payloadMax { payload.trap = "larger than ActivityKit allows" }
        let now = clock.monotonic
        ledger.with { $0.accept(payload, target: "broadcast", priority: priority, at: now) }
        let id = request.headers.text("apns-request-id") ?? ""
        request.stream.respond(status: 200, headers: [(name: "apns-request-id", value: id)])
        guard payload.trap == nil else { return }
        let push = PhonePush(body: request.body)
        for deliver in phones { deliver(push) }
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

    private func warmUp(_ connection: ServerConnection?) {
        guard let connection, warm.insert(ObjectIdentifier(connection)).inserted else { return }
        connection.setMaxConcurrentStreams(Self.streamsLater)
    }
}

/// The ledger behind its lock: the loop writes, anybody reads.
final class PushBook: Sendable {
    private let ledger = Mutex(PushLedger())

    func with<R: Sendable>(_ body: (inout PushLedger) -> R) -> R { ledger.withLock { body(&$0) } }
}
