// Tokens come late, never, or change; APNs knows each one before the app does.

import ScoreClient
import ScoreTypes
import Testing

@testable import Simulators

@Suite struct PhoneTokenTests {
    @Test(arguments: 1...10) func lateTokens(seed: Int) {
        var rig = PhoneStateRig(faults: PhoneFaultPlan(.lateTokens, seed: UInt64(seed)), seed: UInt64(seed))
        rig.run { $0.openApp(at: $1) }
        rig.advance(.seconds(59))
        #expect(rig.state.startToken == nil, "seed \(seed)")
        rig.advance(.seconds(600))
        rig.start()
        rig.advance(.seconds(119))
        #expect(rig.activityTokens.isEmpty, "seed \(seed)")
        rig.advance(.seconds(1_100))
        #expect(rig.activityTokens.count == 1, "seed \(seed)")
        #expect(rig.events.last == .token(activityID: rig.state.activities[0].id, rig.activityTokens[0].hexForPath))
    }

    @Test func tokensThatNeverCome() {
        var rig = PhoneStateRig(faults: PhoneFaultPlan(.missingTokens, seed: 1))
        rig.run { $0.openApp(at: $1) }
        rig.advance(.seconds(10))
        rig.start()
        rig.advance(.seconds(3_600))
        #expect(rig.activityTokens.isEmpty && rig.state.activities.count == 1)
    }

    @Test(arguments: 1...10) func tokensThatChange(seed: Int) throws {
        var rig = PhoneStateRig(faults: PhoneFaultPlan(.changingTokens, seed: UInt64(seed)), seed: UInt64(seed))
        rig.run { $0.openApp(at: $1) }
        rig.advance(.seconds(10))
        rig.start()
        rig.advance(.seconds(3 * 3_600))
        #expect(rig.activityTokens.count == 3, "seed \(seed)")
        let (old, new) = (rig.activityTokens[0], rig.activityTokens[2])
        rig.push(PushBody.update(rev: 5, timestamp: rig.seconds), to: old)
        #expect(rig.drawings == [1] && rig.drops == [.noRecipient: 1], "seed \(seed)")
        rig.push(PushBody.update(rev: 6, timestamp: rig.seconds), to: new)
        #expect(rig.drawings == [6], "seed \(seed)")
        for _ in 0..<10 {
            rig.run { $0.killApp(at: $1) }
            rig.run { $0.openApp(at: $1) }
        }
        let starts = rig.registered.filter { $0.kind == .pushToStart }
        #expect(starts.count > 3 && starts.last?.token == rig.state.startToken, "seed \(seed)")
    }

    @Test func aTokenIsRegisteredBeforeTheAppKnowsIt() {
        var state = ActivityUpdateTests.running().state
        let now = PhoneTime(wall: PhoneStateRig.wall * 1000, domain: .seconds(700), real: .seconds(700))
        state.replaceTokens(at: now)
        let order = state.finish(now).compactMap { effect -> String? in
            switch effect {
            case .register: "register"
            case .emit(.token): "emit"
            default: nil
            }
        }
        #expect(order == ["register", "emit"])
    }

    @Test func theTokenForNotificationsStays() {
        var rig = PhoneStateRig()
        for _ in 0..<3 {
            rig.run { $0.openApp(at: $1) }
            rig.run { $0.killApp(at: $1) }
        }
        let given = rig.signals.compactMap { if case .alertToken(let token) = $0 { token } else { nil } }
        #expect(given.count == 3 && Set(given).count == 1)
        #expect(rig.registered.count { $0.kind == .alert } == 1)
    }
}
