// Lays requests out for the wire: what a fan-out shares is built once, what is new in each goes onto the stack.

internal import HTTP2
internal import ScoreTypes

/// Writes requests with one provider token; confined to the loop.
final class RequestWriter {
    /// Templates kept: silent and alerted forms of a few matches' newest states.
    private static let templatesMax = 64
    private static let prefix: [UInt8] = Array("/3/device/".utf8)

    private struct Key: Hashable {
        let launch: ObjectIdentifier
        let hasAlert: Bool
    }

    private struct Shape {
        /// Keeps the launch's identity from being reused while the shape is known by it.
        let launch: Launch
        let template: HeaderTemplate
        let body: SharedBytes
    }

    let token: StoredProviderToken
    private let configuration: DispatcherConfiguration
    private var shapes: [Key: Shape] = [:]

    init(configuration: DispatcherConfiguration, token: StoredProviderToken) {
        self.configuration = configuration
        self.token = token
    }

    /// Sends one token of a walk; false when the connection has no room.
    func send(
        _ send: FanoutSend,
        of launch: Launch,
        slice: TokenSlice,
        on connection: ClientConnection,
        tag: UInt64
    ) -> Bool {
        let shape = shape(of: launch, hasAlert: send.hasAlert)
        let id = RequestID(launch.match, launch.revision, send.device, send.generation, launch.kind)
        if let token = send.token {
            return token.bytes.withUnsafeBytes { submit($0, id, shape.template, shape.body, on: connection, tag: tag) }
        }
        return slice.withToken(at: send.sliceIndex) { bytes in
            submit(bytes, id, shape.template, shape.body, on: connection, tag: tag)
        }
    }

    /// Sends a request outside a walk; false when the connection has no room.
    func send(_ request: LaneRequest, on connection: ClientConnection, tag: UInt64) -> Bool {
        switch request.target {
        case .token(let token, let device, let generation):
            let template = deviceTemplate(kind: request.kind, priority: request.priority)
            let id = RequestID(request.match, request.revision, device, generation, request.kind)
            return token.bytes.withUnsafeBytes { submit($0, id, template, request.body, on: connection, tag: tag) }
        case .channel(let channel):
            let path = Array("/4/broadcasts/apps/\(configuration.bundleID)".utf8)
            return path.withUnsafeBufferPointer { path in
                connection.submit(
                    path: path,
                    template: broadcastTemplate(channel, priority: request.priority),
                    extra: nil,
                    body: request.body,
                    tag: tag
                )
            }
        }
    }

    private func submit(
        _ token: UnsafeRawBufferPointer,
        _ id: RequestID,
        _ template: HeaderTemplate,
        _ body: SharedBytes,
        on connection: ClientConnection,
        tag: UInt64
    ) -> Bool {
        let count = Self.prefix.count + 2 * token.count
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count + RequestID.textCount) { memory in
            _ = memory[..<Self.prefix.count].initialize(fromContentsOf: Self.prefix)
            if let base = memory.baseAddress {
                Hex.write(token, into: UnsafeMutableRawPointer(base + Self.prefix.count))
                id.write(into: base + count)
            }
            return connection.submit(
                path: UnsafeBufferPointer(rebasing: memory[..<count]),
                template: template,
                extra: ("apns-id", UnsafeBufferPointer(rebasing: memory[count...])),
                body: body,
                tag: tag
            )
        }
    }

    private func shape(of launch: Launch, hasAlert: Bool) -> Shape {
        let key = Key(launch: ObjectIdentifier(launch), hasAlert: hasAlert)
        if let known = shapes[key] { return known }
        if shapes.count >= Self.templatesMax { shapes.removeAll() }
        let made = Shape(
            launch: launch,
            template: deviceTemplate(kind: launch.kind, priority: launch.priority(withAlert: hasAlert)),
            body: SharedBytes(launch.body(withAlert: hasAlert))
        )
        shapes[key] = made
        return made
    }

    private func deviceTemplate(kind: PayloadKind, priority: PushPriority) -> HeaderTemplate {
        HeaderTemplate(
            head + [
                .init("apns-topic", configuration.liveActivityTopic),
                .init("apns-push-type", "liveactivity"),
                .init("apns-priority", String(priority.rawValue)),
                // An older state is worth nothing to a phone that comes back later; an end or a start still is.
                .init("apns-expiration", kind == .update ? "0" : String(token.issuedAt.seconds + 4 * 3_600)),
            ]
        )
    }

    private func broadcastTemplate(_ channel: ChannelID, priority: PushPriority) -> HeaderTemplate {
        HeaderTemplate(
            head + [
                .init("apns-channel-id", channel.text),
                .init("apns-push-type", "liveactivity"),
                .init("apns-priority", String(priority.rawValue)),
                .init("apns-expiration", "0"),
            ]
        )
    }

    private var head: [HeaderTemplate.Field] {
        [
            .init(":method", "POST"), .init(":scheme", "https"), .init(":authority", configuration.push.host),
            .init("authorization", "bearer \(token.text)"), .init("content-type", "application/json"),
        ]
    }
}

/// `apns-id`: the same for a repeat of the same push, so that logs can tell a repeat from a second push.
struct RequestID {
    static let textCount = 36

    private let high: UInt64
    private let low: UInt64

    init(_ match: MatchID, _ revision: Int64, _ device: DeviceID, _ generation: Int32, _ kind: PayloadKind) {
        var seed: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in match.text.utf8 { seed = (seed ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        for byte in kind.rawValue.utf8 { seed = (seed ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        var mixer = SplitMix64(seed: seed ^ UInt64(bitPattern: revision) ^ device.high)
        high = (mixer.next() & 0xffff_ffff_ffff_0fff) | 0x8000
        mixer = SplitMix64(seed: mixer.next() ^ device.low ^ UInt64(UInt32(bitPattern: generation)))
        low = (mixer.next() & 0x3fff_ffff_ffff_ffff) | 0x8000_0000_0000_0000
    }

    /// Writes the UUID's 36 characters.
    func write(into memory: UnsafeMutablePointer<UInt8>) {
        let digits: StaticString = "0123456789abcdef"
        var place = 0
        for nibble in 0..<32 {
            if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 {
                memory[place] = UInt8(ascii: "-")
                place += 1
            }
            let half = nibble < 16 ? high : low
            memory[place] = digits.utf8Start[Int((half >> (60 - 4 * UInt64(nibble % 16))) & 15)]
            place += 1
        }
    }
}
