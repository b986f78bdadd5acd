// Updates: which of them a phone draws.

import LiveSurface
import ScoreClient
import ScoreTypes
import Testing

@testable import Simulators

@Suite struct ActivityUpdateTests {
    /// A phone with one activity on a token, in the foreground.
    static func running(
        _ release: IOSRelease = .ios18,
        faults: PhoneFaultPlan = .none,
        knowsNewestLayout: Bool = true,
        seed: UInt64 = 1
    ) -> PhoneStateRig {
        var rig = PhoneStateRig(release, faults: faults, knowsNewestLayout: knowsNewestLayout, seed: seed)
        rig.run { $0.openApp(at: $1) }
        rig.advance(.seconds(600))
        rig.start()
        rig.advance(.seconds(10))
        return rig
    }

    @Test func anOlderTimestampIsIgnoredAndAnEqualOneIsNot() {
        var rig = Self.running()
        let stamp = rig.seconds
        rig.update(rev: 2, timestamp: stamp)
        rig.update(rev: 3, timestamp: stamp - 1)
        #expect(rig.drawings == [2] && rig.drops == [.olderTimestamp: 1])
        rig.update(rev: 4, timestamp: stamp)
        #expect(rig.drawings == [4])
    }

    @Test func anOlderRevisionUnderANewerTimestampIsDrawnAndCounted() {
        var rig = Self.running()
        rig.update(rev: 5, timestamp: rig.seconds)
        rig.update(rev: 4, timestamp: rig.seconds + 1)
        #expect(rig.drawings == [4] && rig.state.journal.backSteps == 1)
    }

    @Test func contentThatDoesNotDecodeKeepsTheDrawing() {
        var rig = Self.running()
        let broken = PushBody.content(2).replacing(#""minimal""#, with: #""m""#)
        rig.push(
            PushBody.update(rev: 2, timestamp: rig.seconds, content: broken, alert: "Wicket!"),
            to: rig.activityTokens.last
        )
        rig.push("{}", to: rig.activityTokens.last)
        #expect(rig.drawings == [1] && rig.drops == [.undecodable: 1, .unreadable: 1])
        #expect(rig.state.centre.total == 0)
    }

    @Test func equalContentRedrawsNothingButIsFresh() throws {
        var rig = Self.running()
        rig.advance(.seconds(1_900))
        #expect(rig.phases == [.stale])
        let events = rig.events.count
        rig.update(rev: 1)
        #expect(rig.phases == [.active] && rig.state.journal.drawings == 0)
        #expect(rig.events.count == events)
    }

    /// An app one version older does not have the newest member, so states that differ in it alone are equal.
    @Test(arguments: [(true, 1), (false, 0)]) func layouts(knowsNewest: Bool, drawings: Int) {
        var rig = Self.running(knowsNewestLayout: knowsNewest)
        let content = PushBody.content(1, progress: 0.5)
        rig.push(
            PushBody.update(rev: 1, timestamp: rig.seconds, content: content),
            to: rig.activityTokens.last
        )
        #expect(rig.state.journal.drawings == drawings && rig.drops.isEmpty)
        #expect(rig.state.activities[0].content.progress == (knowsNewest ? 0.5 : nil))
    }

    @Test func contentBecomesStaleByThePhonesClock() {
        var rig = Self.running()
        rig.advance(.seconds(1_780))
        #expect(rig.phases == [.active])
        rig.advance(.seconds(20))
        #expect(rig.phases == [.stale])
        rig.update(rev: 2)
        #expect(rig.phases == [.active])
    }

    /// As ActivityKit's sequence of states; a suspended app learns only of the newest one.
    @Test func theAppLearnsThatContentIsStale() throws {
        var rig = Self.running()
        let id = try #require(rig.state.activities.first?.id)
        let isStale: (ActivityEvent) -> Bool = { $0 == .stale(activityID: id) }
        rig.run { $0.openApp(at: $1) }
        rig.advance(.seconds(1_800))
        #expect(rig.events.count(where: isStale) == 1)
        rig.run { $0.leaveApp(at: $1) }
        rig.update(rev: 2)
        rig.advance(.seconds(1_800))
        rig.update(rev: 3)
        rig.run { $0.openApp(at: $1) }
        #expect(rig.phases == [.active] && rig.events.count(where: isStale) == 1)
        rig.run { $0.leaveApp(at: $1) }
        rig.advance(.seconds(1_800))
        #expect(rig.events.count(where: isStale) == 1)
        rig.run { $0.openApp(at: $1) }
        #expect(rig.phases == [.stale] && rig.events.count(where: isStale) == 2)
    }

    /// The effect of a wrong clock: everything is stale, or everything is too far ahead.
    @Test(arguments: 1...20) func wrongClocks(seed: Int) {
        let faults = PhoneFaultPlan(.wrongClock, seed: UInt64(seed))
        var rig = Self.running(faults: faults, seed: UInt64(seed))
        let hours = Double(faults.clockOffset.milliseconds) / 3_600_000
        print("seed \(seed): clock \(hours) h off")
        rig.update(rev: 2)
        rig.advance(.seconds(1))
        switch hours {
        case ..<(-8): #expect(rig.state.activities.isEmpty && rig.drops[.tooFarAhead] == 1)
        case 0.5...: #expect(rig.phases == [.stale] && rig.drawings == [2])
        default: #expect(rig.phases == [.active] && rig.drawings == [2])
        }
    }

    @Test func theOldestReleaseHasNoStaleDates() throws {
        var rig = PhoneStateRig(.ios16)
        rig.run { $0.openApp(at: $1) }
        _ = try rig.start(try AppStart.sample()).get()
        rig.advance(.seconds(10))
        rig.update(rev: 2)
        rig.advance(.seconds(7_200))
        #expect(rig.phases == [.active] && rig.drawings == [2])
    }

    @Test func pushesForOtherTokensHaveNoEffect() {
        var rig = Self.running()
        rig.push(PushBody.update(rev: 2, timestamp: rig.seconds), to: rig.registered[0].token)
        rig.push(PushBody.notification("Wicket!", match: "m1"), to: rig.activityTokens.last)
        rig.push(PushBody.background, to: rig.activityTokens.last)
        #expect(rig.drawings == [1] && rig.drops == [.noRecipient: 3] && rig.state.centre.total == 0)
    }

    @Test func theAppsOwnStateIsDrawnAndReported() throws {
        var rig = Self.running()
        let id = rig.state.activities[0].id
        let state = try AppStart.state(7)
        let stamp = rig.seconds
        rig.run { $0.update(id, to: state, staleAt: .max, timestamp: stamp, at: $1) }
        #expect(rig.drawings == [7] && rig.events.last == .shows(activityID: id, revision: 7))
        rig.update(rev: 6, timestamp: stamp - 1)
        #expect(rig.drawings == [7] && rig.drops == [.olderTimestamp: 1])
        // The backend gave an older revision a newer timestamp.
        rig.update(rev: 6, timestamp: stamp + 1)
        #expect(rig.drawings == [6] && rig.state.journal.backSteps == 1 && rig.state.journal.backStepsOverApp == 0)
    }

    /// A system without timestamps draws the push that was on its way; the next one is newer again.
    @Test func aPushReplacesANewerStateOfTheAppBeforeTimestamps() throws {
        var rig = PhoneStateRig(.ios16)
        rig.run { $0.openApp(at: $1) }
        let id = try rig.start(try AppStart.sample()).get().id
        rig.advance(.seconds(10))
        let (state, stamp) = (try AppStart.state(7), rig.seconds)
        rig.run { $0.update(id, to: state, staleAt: .max, timestamp: stamp, at: $1) }
        rig.update(rev: 6, timestamp: stamp - 1)
        #expect(rig.drawings == [6] && rig.state.journal.backSteps == 0 && rig.state.journal.backStepsOverApp == 1)
        rig.update(rev: 7)
        rig.update(rev: 5, timestamp: rig.seconds)
        #expect(rig.drawings == [5] && rig.state.journal.backSteps == 1 && rig.state.journal.backStepsOverApp == 1)
    }

    @Test func theAppDrawsNothingOlderThanTheScreen() throws {
        var rig = Self.running()
        let (id, stamp) = (rig.state.activities[0].id, rig.seconds)
        rig.update(rev: 5, timestamp: stamp)
        let (older, newer) = (try AppStart.state(4), try AppStart.state(6))
        rig.run { $0.update(id, to: older, staleAt: .max, timestamp: stamp, at: $1) }
        // A state that was published before the one on the screen is ignored, whatever its revision.
        rig.run { $0.update(id, to: newer, staleAt: .max, timestamp: stamp - 1, at: $1) }
        #expect(rig.drawings == [5] && rig.events.last == .shows(activityID: id, revision: 5))
    }
}
