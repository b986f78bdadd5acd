// One simulated phone: an app with its credential and tokens, and a Lock Screen.

import LiveSurface
import ScoreTypes
import Synchronization

/// The settings that all phones of a fleet share.
struct PhoneSetting: Sendable {
    let match: MatchID
    let api: PhoneAPI
    let network: APNsSimulator
    let clock: ServiceClock
    let payloads = PushPayloadCache()
    /// Called when a phone has something to do over the network.
    let wake: @Sendable (Int) -> Void
}

/// One phone.
final class Phone: Sendable {
    let number: Int
    /// Whether it runs iOS 18 and its activity lives on a broadcast channel.
    let usesChannel: Bool
    private let setting: PhoneSetting
    private let state: Mutex<State>

    private struct State {
        var generator: SplitMix64
        var credential: String?
        var clientSequence = 0
        var screen = PhoneScreen()
        var activity: ActivityID?
        /// A start that arrived and is not yet registered with the server.
        var started: PushPayload.Aps?
    }

    init(number: Int, usesChannel: Bool, seed: UInt64, setting: PhoneSetting) {
        self.number = number
        self.usesChannel = usesChannel
        self.setting = setting
        state = Mutex(State(generator: SplitMix64(seed: seed &+ UInt64(number) &* 0x9e37_79b9)))
    }

    var screen: PhoneScreen { state.withLock { $0.screen } }

    /// Registers the device, hands in its tokens and follows the match.
    func enroll() async throws {
        let credential = try await registerDevice()
        for (kind, name) in [(PhoneTokenKind.alert, "alert"), (.pushToStart, "pushToStart")] {
            let token = try drawToken(kind == .alert ? 32 : 80)
            setting.network.register(token: token, kind: kind) { [weak self] push in self?.receive(push, on: kind) }
            try await put("/v1/devices/me/push-tokens/\(name)", credential) { json, now in
                json.field("token", token.hexForPath)
                json.field("apnsEnvironment", "sandbox")
                json.field("bundleId", APNsTestAccount.bundleID)
                json.field("attributesType", APNsTestAccount.attributesType)
                json.field("observedAtMs", now)
                json.field("source", "stream")
            }
        }
        try await put("/v1/devices/me/follows/\(setting.match)", credential) { json, _ in
            json.object("surfaces") { surfaces in
                surfaces.field("liveActivity", true)
                surfaces.strings("alerts", ["wicket", "milestone", "result", "start"])
            }
        }
        state.withLock { $0.credential = credential }
    }

    /// Registers an activity that a push started, and shows the server's answer.
    func registerActivity() async throws {
        let (start, credential) = state.withLock { ($0.started, $0.credential) }
        guard let start, let credential else { return }
        var channel: ChannelID?
        if let text = start.inputPushChannel.flatMap(ChannelID.init) {
            channel = text
            let joined = setting.network.subscribe(channel: text, subscriber: UInt64(number)) { [weak self] push in
                self?.receive(push, on: .activity)
            }
            guard joined else { return }
        }
        let token = try drawToken(80)
        if channel == nil {
            setting.network.register(token: token, kind: .activity) { [weak self] push in
                self?.receive(push, on: .activity)
            }
        }
        let activity = activityID()
        let body = try await put("/v1/devices/me/activities/\(activity)", credential) { json, now in
            json.field("matchId", setting.match.text)
            if let channel { json.field("channelId", channel.text) } else { json.field("token", token.hexForPath) }
            json.field("apnsEnvironment", "sandbox")
            json.field("attributesType", APNsTestAccount.attributesType)
            json.field("schemaVersion", 1)
            json.field("startedAtMs", now)
            json.field("startedBy", "push")
        }
        finish(registration: body, of: activity)
    }

    private func finish(registration body: [UInt8], of activity: ActivityID) {
        struct Answer: Decodable { let currentRev: Int64? }
        let answer = try? JSONElement.read(Answer.self, from: body)
        state.withLock { state in
            state.activity = activity
            state.started = nil
            state.screen.fetch(revision: answer?.currentRev ?? 0)
        }
    }

    /// Takes a push; quick, since it runs on Apple's side of the simulation.
    private func receive(_ push: DeliveredPush, on kind: PhoneTokenKind) {
        guard kind != .alert else { return }
        let payload = setting.payloads.payload(of: push.body)
        let isStart = payload?.aps.event == "start"
        let wasNew = state.withLock { state -> Bool in
            state.screen.receive(payload)
            guard isStart, state.activity == nil, state.started == nil else { return false }
            state.started = payload?.aps
            return true
        }
        if wasNew { setting.wake(number) }
    }

    private func registerDevice() async throws -> String {
        struct Answer: Decodable { let credential: String }
        let key = Hex.string(draw(16))
        let body = JSONWriter.document { json in
            json.field("platform", "ios")
            json.field("bundleId", APNsTestAccount.bundleID)
            json.field("appBuild", "1")
            json.field("osVersion", usesChannel ? "18.4" : "17.6")
            json.field("model", "iPhone16,1")
            json.field("locale", "en")
            json.field("timeZone", "UTC")
            json.field("apnsEnvironment", "sandbox")
            json.array("contentSchemaVersions") { $0.integer(1) }
            json.field("liveActivitiesEnabled", true)
            json.field("frequentPushesEnabled", true)
            json.field("alertsEnabled", true)
            json.field("channelsSupported", usesChannel)
        }
        let reply = try await setting.api.call("POST", "/v1/devices", idempotencyKey: key, body: body)
        return try JSONElement.read(Answer.self, from: reply).credential
    }

    @discardableResult
    private func put(
        _ path: String,
        _ credential: String,
        _ fields: (inout JSONWriter, Int64) -> Void
    ) async throws -> [UInt8] {
        let sequence = state.withLock { state -> Int in
            state.clientSequence += 1
            return state.clientSequence
        }
        let body = JSONWriter.document { json in
            fields(&json, setting.clock.wall.milliseconds)
            json.field("clientSeq", sequence)
        }
        return try await setting.api.call("PUT", path, credential: credential, body: body)
    }

    private func drawToken(_ count: Int) throws -> PushToken {
        guard let token = PushToken(bytes: draw(count)) else { throw PhoneError.unanswered(call: "drawing a token") }
        return token
    }

    private func draw(_ count: Int) -> [UInt8] {
        state.withLock { state in
            (0..<count).map { _ in UInt8.random(in: 0...255, using: &state.generator) }
        }
    }

    private func activityID() -> ActivityID {
        state.withLock { ActivityID(unchecked: DeviceID(using: &$0.generator).description.uppercased()) }
    }
}
