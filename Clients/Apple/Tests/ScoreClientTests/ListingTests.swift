// A list of activities that comes after events that are newer than it.

import Foundation
import LiveSurface
import Testing

@testable import ScoreClient

@Suite struct ListingTests {
    private static let started = ObservedActivity(id: "b", matchID: "m", channelID: "c1")

    /// A device whose activity `b` starts and is reported while a list is being read.
    private static func rig() -> ClientRig {
        var rig = ClientRig(seed: 1)
        rig.server.store("m", sequence: 1, changedAt: 0)
        rig.launch()
        rig.settleOrFail()
        rig.isListHeld = true
        rig.feed(.enteredForeground)
        _ = rig.takeSent()
        rig.feed(.activity(.started(started)))
        rig.deliver()
        rig.isListHeld = false
        return rig
    }

    /// The requests until everything is confirmed; a report of activities with the ids in it.
    private static func requests(_ rig: inout ClientRig) -> [String] {
        rig.settleOrFail()
        return rig.takeSent().map { request in
            let name = "\(request.method.rawValue) \(request.path.split(separator: "/").last ?? "")"
            let body = String(decoding: request.body ?? Data(), as: UTF8.self)
            let ids = body.matches(of: #/"activityId":"(\w+)"/#).map { " \($0.output.1)" }
            return name.hasSuffix("reconcile") ? name + ids.joined() : name
        }
    }

    @Test func anOldListDoesNotEndANewActivity() {
        var rig = Self.rig()
        rig.activities = [Self.started]
        rig.feed(.listed([]))
        let requests = Self.requests(&rig)
        #expect(!requests.contains("DELETE b") && requests.contains("PUT b"))
        // The server ends what a report does not name, so that the report is made from a new list.
        #expect(requests.filter { $0.hasPrefix("POST reconcile") } == ["POST reconcile b"])
        #expect(rig.state.record.activities["b"] != nil)
    }

    @Test func aNewListWithoutTheActivityEndsIt() {
        var rig = Self.rig()
        rig.feed(.listed([]))
        let requests = Self.requests(&rig)
        #expect(requests.contains("DELETE b"))
    }

    @Test func aListThatNamesTheEndOfTheActivityIsNotOld() {
        var rig = Self.rig()
        var ended = Self.started
        ended.phase = .ended
        rig.activities = [ended]
        rig.feed(.listed([ended]))
        let requests = Self.requests(&rig)
        #expect(requests.contains("DELETE b"))
        #expect(requests.count { $0.hasPrefix("POST reconcile") } == 1)
    }

    /// After a match the list can name the final card before the event of its end arrives.
    @Test func anEndThatTheListNamedFirstKeepsItsReceipt() {
        var rig = Self.rig()
        rig.activities = [Self.started]
        rig.feed(.listed([Self.started]))
        _ = Self.requests(&rig)
        rig.pass(.milliseconds(ClientLimits.telemetrySpacing))
        rig.feed(.followed(match: "other", FollowChoices()))
        var ended = Self.started
        (ended.phase, ended.revision) = (.ended, 9)
        rig.activities = [ended]
        rig.feed(.listed([ended]))
        rig.feed(.activity(.shows(activityID: "b", revision: 9)))
        rig.feed(.activity(.ended(activityID: "b", isDismissed: false)))
        let requests = Self.requests(&rig)
        #expect(requests.prefix(3) == ["PUT other", "POST telemetry", "DELETE b"])
    }
}
