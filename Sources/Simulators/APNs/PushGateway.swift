// Checks each push by the rules of APNs, answers it, and delivers accepted pushes to the phones.

import HTTP2
import ScoreTypes
import Synchronization

/// Serves `/3/device/{token}` and `/4/broadcasts/apps/{bundle}`; confined to its loop.
final class PushGateway: ServerDelegate {
    static let broadcastPrefix = Array("/4/broadcasts/apps/".utf8)
    private static let refusedStream: UInt32 = 7

    /// Decides what happens to a request instead of what the rules say.
    var interference: (@Sendable (APNsArrival) -> APNsInterference?)?
    let state: APNsState
    let broadcastPath: [UInt8]
    private let check: DeviceRequestCheck
    private let verifier: ProviderTokenVerifier
    var inspector = PayloadInspector()
    private var requests: UInt64 = 0
    private let context: LoopContext
    private var departure = Departure.atOnce
    /// Time from the acceptance of the current request to its arrival at the phones.
    private var lateness = Duration.zero
    private var rate: PushRate

    /// How the answer to the current request leaves.
    private enum Departure {
        case atOnce
        case delayed(Duration)
        /// It is lost: the sender receives no answer to a request that was processed.
        case never
        /// The connection is cut in place of the answer.
        case cut
    }

    init(_ state: APNsState, in context: LoopContext) {
        self.context = context
        self.state = state
        check = DeviceRequestCheck(bundleID: state.configuration.bundleID)
        broadcastPath = Self.broadcastPrefix + Array(state.configuration.bundleID.utf8)
        verifier = state.configuration.verifier
        rate = PushRate(limit: state.configuration.pushesPerMinute)
    }

    func server(didReceive request: borrowing ServerRequest) {
        requests &+= 1
        (departure, lateness) = (.atOnce, .zero)
        let isBroadcast = request.path.starts(with: Self.broadcastPrefix)
        let headers = PushHeaders(request, isBroadcast: isBroadcast)
        let now = state.clock.wall
        let connection = request.stream.connection
        let (isTrusted, open) = (connection.trust.isTrusted, connection.openStreams)
        state.history.with { $0.sawRequest(at: now, streams: open, isTrusted: isTrusted) }
        if let interference {
            let happening = interference(arrival(request, headers))
            if let happening, happens(happening, to: request.stream) { return }
        }
        do throws(PushRefusal) {
            guard request.method.equals("POST") else { throw .methodNotAllowed }
            guard isBroadcast || request.path.starts(with: DeviceRequestCheck.pathPrefix) else { throw .badPath }
            try connection.trust.verify(
                headers.authorization,
                by: verifier,
                now: now.seconds,
                on: connection,
                notingIn: state.history
            )
            if isBroadcast {
                try broadcast(request, headers, now)
            } else {
                try push(request, headers, now)
            }
            connection.trust.accepted(on: connection)
        } catch {
            var line = JournaledPush(at: now, isBroadcast: isBroadcast)
            line.id = headers.messageID?.text ?? ""
            refuse(error, line)
            answer(request.stream, error.status, headers, body: BodyBytes(error.body))
            punish(error, connection)
        }
    }

    private func push(_ request: borrowing ServerRequest, _ headers: PushHeaders, _ now: Instant) throws(PushRefusal) {
        let wanted = try check.check(headers, bodyCount: request.isBodyTruncated ? .max : request.body.count)
        let digits = UnsafeRawBufferPointer(rebasing: request.path[DeviceRequestCheck.pathPrefix.count...])
        guard !digits.isEmpty else { throw .missingDeviceToken }
        guard let token = Self.bytes(hex: digits) else { throw .badDeviceToken }
        let payload = inspector.inspect(request.body)
        let (kind, deliver): (PhoneTokenKind, PushDirectory.Deliver)
        switch state.directory.entry(token) {
        case nil:
            guard state.configuration.takesUnknownTokens else { throw .badDeviceToken }
            let screens = state.screens
            (kind, deliver) = (Self.likelyKind(wanted.kind, payload.event), { screens.show($0, on: token) })
        case .dead(let since): throw PushRefusal(410, "Unregistered", timestamp: since)
        case .alive(let known, let phone): (kind, deliver) = (known, phone)
        }
        guard Self.isToken(kind, for: wanted.kind) else { throw .notForTopic }
        try checkRate(of: token)
        let trap = payload.trap(now: now.seconds) ?? Self.mismatch(payload.event, wanted.kind, kind)
        accept(payload, for: token, priority: wanted.priority, trap: trap, at: now, headers)
        answer(request.stream, 200, headers, body: nil)
        guard trap == nil, let event = payload.event else { return }
        let push = DeliveredPush(payload, event, headers, priority: wanted.priority, at: now)
        arrive { deliver(push) }
    }

    /// Counts a push to a token or a channel, and refuses it when there are too many.
    func checkRate(of recipient: [UInt8]) throws(PushRefusal) {
        guard rate.admits(recipient, at: state.clock.domain) else { throw .tooManyRequests }
    }

    /// Hands an accepted push over to phones, now or after the lateness of its request.
    func arrive(_ deliver: @escaping () -> Void) {
        guard lateness > .zero else { return deliver() }
        context.schedule(after: lateness) { _ in deliver() }
    }

    private func refuse(_ refusal: PushRefusal, _ line: JournaledPush) {
        var line = line
        (line.status, line.reason) = (refusal.status, refusal.reason)
        state.history.with { $0.refuse(line) }
    }

    /// Enters an accepted push in the history.
    func accept(
        _ payload: InspectedPayload,
        for recipient: [UInt8],
        priority: Int,
        trap: String?,
        at now: Instant,
        _ headers: PushHeaders
    ) {
        var line = JournaledPush(at: now, isBroadcast: headers.isBroadcast)
        line.id = headers.messageID?.text ?? ""
        line.collapseID = headers.collapseID?.text ?? ""
        line.recipientBytes = recipient
        (line.priority, line.event, line.revision) = (priority, payload.event, payload.revision)
        line.hasAlert = payload.hasAlert
        let moment = state.clock.monotonic
        state.history.with { $0.accept(line, trap: trap, at: moment) }
    }

    /// The kind of an unregistered token, by the push that the sender sends to it.
    private static func likelyKind(_ wanted: DeviceRequestCheck.Wanted.Kind, _ event: PushEvent?) -> PhoneTokenKind {
        switch wanted {
        case .liveActivity: event == .start ? .pushToStart : .activity
        case .widgets: .widget
        case .alert, .background: .alert
        }
    }

    /// Whether a token belongs to the topic of a push.
    private static func isToken(_ kind: PhoneTokenKind, for wanted: DeviceRequestCheck.Wanted.Kind) -> Bool {
        switch kind {
        case .alert: wanted == .alert || wanted == .background
        case .pushToStart, .activity: wanted == .liveActivity
        case .widget: wanted == .widgets
        }
    }

    /// Accepted by Apple, but the phone has nothing to do with it.
    private static func mismatch(
        _ event: PushEvent?,
        _ wanted: DeviceRequestCheck.Wanted.Kind,
        _ kind: PhoneTokenKind
    ) -> String? {
        switch (event, wanted, kind) {
        case (.start, .liveActivity, .pushToStart), (.update, .liveActivity, .activity),
            (.end, .liveActivity, .activity), (.alert, .alert, .alert), (.background, .background, .alert),
            (.alert, .background, .alert), (.widgets, .widgets, .widget):
            nil
        default: "event for another kind of token"
        }
    }

    private static func bytes(hex digits: UnsafeRawBufferPointer) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2), digits.count <= 2 * TypeLimits.pushTokenBytes else { return nil }
        var isHex = true
        let bytes = [UInt8](unsafeUninitializedCapacity: digits.count / 2) { target, count in
            for index in 0..<digits.count / 2 {
                guard let high = Hex.value(of: digits[2 * index]), let low = Hex.value(of: digits[2 * index + 1]) else {
                    isHex = false
                    return
                }
                target.initializeElement(at: index, to: high << 4 | low)
                count = index + 1
            }
        }
        return isHex ? bytes : nil
    }

    // MARK: Answers

    /// Answers and echoes the request's id; a push without one gets one.
    func answer(_ stream: ServerStream, _ status: Int, _ headers: PushHeaders, body: BodyBytes?) {
        let name: StaticString = headers.isBroadcast ? "apns-request-id" : "apns-id"
        var generator = SystemRandomNumberGenerator()
        let id = headers.messageID.map { [UInt8]($0) } ?? Array(DeviceID(using: &generator).description.utf8)
        switch departure {
        case .atOnce: Self.respond(stream, status, name, id, body)
        case .delayed(let delay): context.schedule(after: delay) { _ in Self.respond(stream, status, name, id, body) }
        case .never: break
        case .cut: stream.connection.abort()
        }
    }

    private static func respond(
        _ stream: ServerStream,
        _ status: Int,
        _ name: StaticString,
        _ id: [UInt8],
        _ body: BodyBytes?
    ) {
        id.withUnsafeBytes { id in
            _ = stream.respond(status: status, extra: ExtraHeader(name, id), body: body)
        }
    }

    private func punish(_ refusal: PushRefusal, _ connection: ServerConnection) {
        guard let limit = state.configuration.rejectionsBeforePenalty, refusal == .badDeviceToken else { return }
        connection.trust.rejected(on: connection, limit: limit)
    }

    private func arrival(_ request: borrowing ServerRequest, _ headers: PushHeaders) -> APNsArrival {
        let payload = inspector.inspect(request.body)
        var recipient: [UInt8] = []
        if headers.isBroadcast {
            recipient = headers.channel.map { [UInt8]($0) } ?? []
        } else if request.path.count > DeviceRequestCheck.pathPrefix.count {
            let digits = UnsafeRawBufferPointer(rebasing: request.path[DeviceRequestCheck.pathPrefix.count...])
            recipient = Self.bytes(hex: digits) ?? []
        }
        return APNsArrival(
            number: requests,
            connection: request.stream.connection.id,
            isBroadcast: headers.isBroadcast,
            recipient: recipient,
            priority: Int(headers.priority?.wholeNumber ?? 10),
            hasAlert: payload.hasAlert,
            revision: payload.revision
        )
    }

    /// True when that was all that happens to the request.
    private func happens(_ interference: APNsInterference, to stream: ServerStream) -> Bool {
        switch interference {
        case .answer(let status, let reason, let retryAfter, let deadSince):
            let refusal = PushRefusal(status, reason, timestamp: deadSince)
            refuse(refusal, JournaledPush(at: state.clock.wall, isBroadcast: false))
            stream.respond(
                status: status,
                fixed: retryAfter.map { HeaderTemplate([HeaderField("retry-after", String($0))]) },
                body: BodyBytes(refusal.body)
            )
        case .garble(let status, let body):
            stream.respond(status: status, body: body.isEmpty ? nil : BodyBytes(body))
        case .delay(let wait):
            departure = .delayed(wait)
            return false
        case .deliverLater(let wait):
            lateness = wait
            return false
        case .silenceAfter:
            departure = .never
            return false
        case .cutAfter:
            departure = .cut
            return false
        case .silence: break
        case .refuse: stream.reset(code: Self.refusedStream)
        case .goAway:
            let reason = PushRefusal(503, "Shutdown").body
            stream.connection.goAway(lastStream: max(0, stream.id - 2), debug: reason)
        case .cut: stream.connection.abort()
        case .limitStreams(let count):
            stream.connection.setMaxConcurrentStreams(count)
            return false
        }
        return true
    }
}

extension DeliveredPush {
    init(
        _ payload: InspectedPayload,
        _ event: PushEvent,
        _ headers: PushHeaders,
        priority: Int,
        channel: ChannelID? = nil,
        at now: Instant
    ) {
        self.init(
            event: event,
            timestamp: payload.timestamp,
            body: payload.body,
            priority: priority,
            hasAlert: payload.hasAlert,
            revision: payload.revision,
            channel: channel,
            expiration: headers.expiration?.wholeNumber,
            collapseID: headers.collapseID?.text,
            acceptedAt: now
        )
    }
}

/// The history behind its lock: the loop writes, any thread reads.
final class SharedPushHistory: Sendable {
    private let history = Mutex(PushHistory())

    func with<R: Sendable>(_ body: (inout PushHistory) -> R) -> R { history.withLock { body(&$0) } }
}
