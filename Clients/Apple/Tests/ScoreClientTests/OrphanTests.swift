// The app's own check: which activities end by themselves, by which clock, and when the list is read for it.

import Foundation
import LiveSurface
import Testing

@testable import ScoreClient

@Suite struct OrphanTests {
    private static let half: Duration = .milliseconds(ClientLimits.quietTime)

    /// A device that follows `m` and has activities of matches.
    private static func rig(_ activities: [ObservedActivity]) -> ClientRig {
        var rig = ClientRig(seed: 1)
        rig.server.store("m", sequence: 1, changedAt: 0)
        rig.activities = activities
        rig.launch()
        rig.settleOrFail()
        _ = rig.takeSent()
        return rig
    }

    private static func activity(_ id: String, _ match: String = "n") -> ObservedActivity {
        ObservedActivity(id: id, matchID: match, token: "ab", revision: 1)
    }

    private static func ends(_ rig: inout ClientRig) -> [ClientAction] {
        rig.settleOrFail()
        defer { rig.hostActions = [] }
        return rig.hostActions
    }

    @Test func anActivityOfAnUnlistedMatchEndsAfterHalfAnHourWithoutContent() {
        var rig = Self.rig([Self.activity("x"), Self.activity("followed", "m")])
        rig.pass(Self.half - .seconds(1))
        rig.feed(.enteredForeground)
        #expect(Self.ends(&rig).isEmpty)
        rig.pass(.seconds(1))
        #expect(Self.ends(&rig) == [.endActivity(id: "x")])
        let end = rig.takeSent().last { $0.method == .delete }
        #expect(end?.path == "/v1/devices/me/activities/x")
        #expect(end?.query.last?.value == "stale")
        rig.pass(Self.half * 4)
        rig.feed(.enteredForeground)
        #expect(Self.ends(&rig).isEmpty)
    }

    @Test func theListIsReadAtTheEndOfTheHalfHourWithoutAnEventOfTheApp() {
        var rig = Self.rig([Self.activity("x")])
        rig.pass(Self.half)
        #expect(rig.takeSent().map(\.path) == ["/v1/devices/me/follows"])
        rig.deliver()
        #expect(rig.hostActions == [.endActivity(id: "x")])
    }

    @Test func newContentStartsTheTimeAgain() {
        var rig = Self.rig([Self.activity("x")])
        rig.pass(Self.half / 2)
        rig.feed(.activity(.shows(activityID: "x", revision: 2)))
        rig.pass(Self.half - .seconds(1))
        rig.activities = [ObservedActivity(id: "x", matchID: "n", token: "ab", revision: 2)]
        rig.feed(.enteredForeground)
        #expect(Self.ends(&rig).isEmpty)
        rig.pass(.seconds(1))
        #expect(Self.ends(&rig) == [.endActivity(id: "x")])
    }

    @Test func withoutAnAnswerOfTheServerNothingEnds() {
        var rig = Self.rig([Self.activity("x")])
        rig.pass(Self.half)
        for _ in 0..<20 {
            rig.lose()
            rig.pass(ClientLimits.longestWait)
        }
        rig.answer(ClientResponse(status: 400))
        #expect(rig.hostActions.isEmpty)
        // A refusal is not repeated at once.
        #expect(rig.flight == nil)
        rig.feed(.enteredForeground)
        #expect(Self.ends(&rig) == [.endActivity(id: "x")])
    }

    @Test func aFollowThatWaitsForTheNetworkKeepsItsActivity() {
        var rig = Self.rig([Self.activity("x")])
        rig.feed(.followed(match: "n", FollowChoices()))
        rig.lose()
        rig.pass(Self.half * 2)
        #expect(Self.ends(&rig).isEmpty)
    }

    @Test func aScheduledActivityHasItsHalfHourAfterItsStart() {
        var scheduled = Self.activity("x")
        scheduled.phase = .pending
        var rig = Self.rig([scheduled])
        rig.pass(Self.half * 10)
        rig.feed(.enteredForeground)
        #expect(Self.ends(&rig).isEmpty)
        rig.activities = [Self.activity("x")]
        rig.feed(.enteredForeground)
        #expect(Self.ends(&rig).isEmpty)
        rig.pass(Self.half)
        #expect(Self.ends(&rig) == [.endActivity(id: "x")])
    }

    @Test(arguments: [-86_400_000, 86_400_000] as [Int64])
    func aClockThatIsSetWhileTheAppRunsChangesNothing(by shift: Int64) {
        var rig = Self.rig([Self.activity("x")])
        rig.pass(Self.half / 2)
        rig.now.wall += shift
        rig.feed(.enteredForeground)
        #expect(Self.ends(&rig).isEmpty)
        rig.pass(Self.half / 2)
        #expect(Self.ends(&rig) == [.endActivity(id: "x")])
    }

    @Test func theTimeGoesOnOverAReboot() {
        var rig = Self.rig([Self.activity("x")])
        rig.now.wall += ClientLimits.quietTime
        rig.now.uptime = .zero
        rig.crash()
        #expect(Self.ends(&rig) == [.endActivity(id: "x")])
    }

    @Test func aClockThatWentBackWhileTheAppWasClosedStartsTheTimeAgain() {
        var rig = Self.rig([Self.activity("x")])
        rig.now.wall -= 86_400_000
        rig.crash()
        #expect(Self.ends(&rig).isEmpty)
        rig.pass(Self.half)
        #expect(Self.ends(&rig) == [.endActivity(id: "x")])
    }

    @Test func staleContentIsComparedWithTheServer() {
        var rig = Self.rig([Self.activity("x", "m")])
        rig.feed(.activity(.stale(activityID: "x")))
        rig.settleOrFail()
        #expect(rig.takeSent().map(\.path) == ["/v1/devices/me/reconcile", "/v1/devices/me/follows"])
    }
}
