// Random histories of a phone keep the rules of ActivityKit, whatever the order of events.

import ScoreClient
import ScoreTypes
import Testing

@testable import Simulators

@Suite struct PhoneHistoryTests {
    static let channel = StartByPushTests.channel

    @Test(arguments: 1...60) func randomHistories(seed: Int) throws {
        var chance = SplitMix64(seed: UInt64(seed))
        let release = IOSRelease.allCases.randomElement(using: &chance) ?? .ios18
        let some = PhoneFault.allCases.shuffled(using: &chance).prefix(Int.random(in: 0...3, using: &chance))
        let faults = PhoneFaultPlan(Array(some), seed: UInt64(seed))
        print("seed \(seed): iOS \(release.rawValue), \(some.map(\.rawValue))")
        var rig = PhoneStateRig(release, faults: faults, seed: UInt64(seed))
        rig.run { $0.openApp(at: $1) }
        var shown: [String: (timestamp: Int64, isOver: Bool)] = [:]
        for step in 1...400 {
            try Self.act(&rig, Int64(step), &chance)
            Self.check(rig, &shown, "seed \(seed) step \(step)")
        }
        // Twelve hours later nothing is left.
        rig.run { $0.killApp(at: $1) }
        rig.advance(.seconds(13 * 3_600))
        #expect(rig.state.activities.isEmpty, "seed \(seed)")
    }

    private static func act(_ rig: inout PhoneStateRig, _ step: Int64, _ chance: inout SplitMix64) throws {
        let stamp = rig.seconds + Int64.random(in: -5...5, using: &chance)
        let token = rig.activityTokens.randomElement(using: &chance)
        let channel = try #require(ChannelID(channel))
        let priority = Bool.random(using: &chance) ? 10 : 5
        switch Int.random(in: 0..<22, using: &chance) {
        case 0: rig.start(match: "m\(step % 3)", rev: step, channel: Bool.random(using: &chance) ? channel.text : nil)
        case 1: _ = rig.start(try AppStart.sample(match: "m\(step % 3)", rev: step))
        case 2...7: rig.push(PushBody.update(rev: step, timestamp: stamp), to: token, priority: priority)
        case 8...10: rig.broadcast(PushBody.update(rev: step, timestamp: stamp), on: channel, priority: priority)
        case 11: rig.push(PushBody.end(rev: step, timestamp: stamp), to: token, priority: 10)
        case 12: rig.broadcast(PushBody.end(rev: step, timestamp: stamp), on: channel)
        case 13: rig.run { $0.openApp(at: $1) }
        case 14: rig.run { $0.leaveApp(at: $1) }
        case 15: rig.run { $0.killApp(at: $1) }
        case 16: rig.run { $0.reboot(at: $1) }
        case 17:
            let isOn = Bool.random(using: &chance)
            rig.run { $0.setNetwork(isOn, at: $1) }
        case 18: rig.run { state, now in state.dismiss(state.activities.first?.id ?? "", at: now) }
        default: rig.advance(.seconds(Int.random(in: 0...1_200, using: &chance)))
        }
    }

    private static func check(
        _ rig: PhoneStateRig,
        _ shown: inout [String: (timestamp: Int64, isOver: Bool)],
        _ place: String
    ) {
        let activities = rig.state.activities
        let running = activities.count(where: \.countsForLimit) + rig.state.otherActivities
        #expect(running <= SimulatorLimits.activitiesOfApp, "\(place)")
        for activity in activities {
            let before = shown[activity.id]
            #expect(activity.timestamp >= before?.timestamp ?? 0, "\(place)")
            #expect(before?.isOver != true || !activity.isRunning, "\(place)")
            shown[activity.id] = (activity.timestamp, !activity.countsForLimit)
            #expect(activity.subscription == .token || activity.token == nil, "\(place)")
        }
        if !rig.state.app.isAlive { #expect(rig.state.held.isEmpty && !rig.state.hasReader, "\(place)") }
        if let wait = rig.state.nextDue(from: rig.now) { #expect(wait >= .zero, "\(place)") }
        #expect(rig.state.updateBudget.times.count <= rig.state.model.faults.frequentUpdatesPerHour, "\(place)")
    }
}
