// The phones of the simulated day apply ActivityKit's rules, and record states and alerts.

import Foundation
import ScoreTypes

@testable import PushDispatcher

/// One Live Activity on one phone.
struct SimulatedPhone {
    let device: DeviceID
    let match: MatchID
    /// nil for a phone on a channel.
    var token: PushToken?
    var generation: Int32 = 1
    var channel: ChannelID?
    var isAlive = true
    private(set) var shown: Int64 = 0
    private(set) var timestamp: Int64 = 0
    private(set) var isEnded = false
    private(set) var wentBack = 0
    /// How often each alert was received.
    private(set) var alerted: [String: Int] = [:]

    init(device: DeviceID, match: MatchID, token: PushToken? = nil, channel: ChannelID? = nil) {
        self.device = device
        self.match = match
        self.token = token
        self.channel = channel
    }

    mutating func receive(_ push: SimulatedPush) {
        // APNs delivers an alert even if its state is older than the one on show.
        if let alert = push.alert { alerted[alert, default: 0] += 1 }
        guard push.timestamp >= timestamp || push.isEnd, !isEnded else { return }
        if push.revision < shown { wentBack += 1 }
        shown = push.revision
        timestamp = max(timestamp, push.timestamp)
        isEnded = push.isEnd
    }

    /// The state that the app fetched when it registered.
    mutating func fetch(_ revision: Int64, _ timestamp: Int64) { (shown, self.timestamp) = (revision, timestamp) }
}

/// The part of a payload that a phone reads.
struct SimulatedPush {
    let timestamp: Int64
    let revision: Int64
    /// Identifies the state, where the simulation sets it.
    let picture: UInt64
    let isEnd: Bool
    let alert: String?

    init?(_ body: [UInt8]) {
        guard let top = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
            let aps = top["aps"] as? [String: Any], let timestamp = aps["timestamp"] as? Int,
            let state = aps["content-state"] as? [String: Any], let revision = state["rev"] as? Int
        else { return nil }
        self.timestamp = Int64(timestamp)
        self.revision = Int64(revision)
        picture = (state["picture"] as? Int).map { UInt64($0) } ?? 0
        isEnd = aps["event"] as? String == "end"
        alert = (aps["alert"] as? [String: Any])?["body"] as? String
    }
}

/// All phones, found by the path of a request.
final class SimulatedPhones {
    private static let prefix = "/3/device/"

    private(set) var all: [SimulatedPhone] = []
    private var byPath: [String: Int] = [:]
    private var dead: [String: Int64] = [:]
    private var known: (body: [UInt8], push: SimulatedPush?) = ([], nil)
    private(set) var unreadable = 0

    func add(_ phone: SimulatedPhone) {
        all.append(phone)
        if let token = phone.token { byPath[Self.prefix + token.hexForPath] = all.count - 1 }
    }

    /// Gives the phone another token; the old one is invalid.
    func rotate(_ index: Int, to token: PushToken, at now: Instant) {
        if let old = all[index].token { kill(old, at: now) }
        all[index].token = token
        all[index].generation += 1
        byPath[Self.prefix + token.hexForPath] = index
    }

    /// The app is deleted: its token answers 410.
    func leave(_ index: Int, at now: Instant) {
        all[index].isAlive = false
        if let token = all[index].token { kill(token, at: now) }
    }

    private func kill(_ token: PushToken, at now: Instant) {
        let path = Self.prefix + token.hexForPath
        byPath[path] = nil
        dead[path] = now.milliseconds
    }

    func deadSince(_ path: String) -> Int64? { dead[path] }

    func fetch(_ index: Int, _ revision: Int64, _ timestamp: Int64) { all[index].fetch(revision, timestamp) }

    func arrive(_ path: String, _ channel: String?, _ body: [UInt8]) {
        if known.body != body { known = (body, SimulatedPush(body)) }
        guard let push = known.push else {
            unreadable += 1
            return
        }
        if let channel {
            for index in all.indices where all[index].channel?.text == channel { all[index].receive(push) }
        } else if let index = byPath[path] {
            all[index].receive(push)
        }
    }
}
