// The snapshots in the App Group: reads, writes, removal, and the view of an extension.

import Foundation
import LiveSurface
import Testing

@testable import ScoreClient

/// An App Group in memory.
final class MemoryStore: SharedStore, Sendable {
    let texts = Locked<[String: String]>([:])
    let numbers = Locked<[String: Int64]>([:])

    func text(_ key: String) -> String? { texts.with { $0[key] } }
    func number(_ key: String) -> Int64? { numbers.with { $0[key] } }
    func set(_ text: String?, for key: String) { texts.with { $0[key] = text } }
    func set(_ number: Int64?, for key: String) { numbers.with { $0[key] = number } }
}

@Suite(.timeLimit(.minutes(1))) struct SharedSurfacesTests {
    static func snapshot(_ match: String, _ rev: Int) throws -> SurfaceSnapshot {
        let slice = try SurfaceSnapshot.Widget(title: "MI \(rev)/0", body: "", progress: 0, deepLink: "score://m")
        return try SurfaceSnapshot(
            id: "match-\(match)@\(rev)",
            surfaceId: "match-\(match)",
            updatedAt: SurfaceTime(secondsSince1970: 1_795_000_000),
            state: .active,
            slice: .widget(slice)
        )
    }

    static func text(_ match: String, _ rev: Int) throws -> String {
        String(decoding: try JSONEncoder().encode(snapshot(match, rev)), as: UTF8.self)
    }

    private static let widget = FollowChoices(surfaces: [.widget])

    /// A registered device with an App Group that follows a match.
    private static func rig(_ store: MemoryStore) async throws -> (LiveRig, Task<Void, Never>) {
        let rig = LiveRig(surfaces: SharedSurfaces(store))
        let running = try await rig.register()
        await rig.client.follow("a", widget)
        try await rig.next(.put, "/v1/devices/me/follows/a").answer(200, #"{"matchId":"a"}"#)
        return (rig, running)
    }

    @Test func theWidgetReadsTheSnapshotOfAFollowedMatch() async throws {
        let store = MemoryStore()
        let (rig, running) = try await Self.rig(store)
        defer { running.cancel() }
        try await rig.next(.get, "/v1/matches/a/surfaces/widget").answer(200, Self.text("a", 5))
        for await notice in rig.client.notices {
            guard case .surfacesChanged(let kinds) = notice else { continue }
            #expect(kinds == [.widget])
            break
        }
        let shared = SharedSurfaces(store)
        let current = try #require(shared.current(WidgetEntry.self))
        #expect(current.entry.headline == "MI 5/0" && current.id == "match-a.widget")
        #expect(current.writtenAt == rig.clock.now.wall / 1000)
        #expect(!current.isOld(at: current.writtenAt + 86_400) && current.isOld(at: current.writtenAt + 86_401))
        #expect(store.text("surface.widget.currentSurfaceId") == "match-a.widget")
        #expect(store.number("surface.snapshot.match-a.widget.writtenAt") == current.writtenAt)
        #expect(shared.current(StandbyEntry.self) == nil)

        // An unfollowed match leaves nothing in the group but the list without it.
        await rig.client.unfollow("a")
        try await rig.next(.delete, "/v1/devices/me/follows/a").answer(204, "")
        for await notice in rig.client.notices {
            if case .surfacesChanged = notice { break }
        }
        #expect(shared.current(WidgetEntry.self) == nil)
        #expect(store.numbers.with { $0.isEmpty })
        #expect(store.texts.with { $0 } == ["surface.snapshots": "[]"])
    }

    @Test func aRefreshFollowsTheReportOfTheActivities() {
        var rig = ClientRig(seed: 1)
        rig.state = ClientState(record: ClientRecord(), sharesSurfaces: true)
        rig.launch()
        while rig.flight != nil { rig.deliver() }
        let actions = rig.state.handle(.receivedBackgroundPush, at: rig.now, using: &rig.random)
        #expect(actions.contains { if case .listActivities = $0 { true } else { false } })
        #expect(!actions.contains { if case .refreshSurfaces = $0 { true } else { false } })
    }

    @Test func aBackgroundPushRefreshesBeforeItEnds() async throws {
        let store = MemoryStore()
        let (rig, running) = try await Self.rig(store)
        defer { running.cancel() }
        try await rig.next(.get, "/v1/matches/a/surfaces/widget").answer(200, Self.text("a", 5))
        async let isDone = rig.client.receiveBackgroundPush()
        let surfaces = #"{"control":false,"lockAccessory":false,"standby":false}"#
        try await rig.answerReads(follows: #"{"matchId":"a","surfaces":\#(surfaces)}"#)
        try await rig.next(.get, "/v1/matches/a/surfaces/widget").answer(200, Self.text("a", 6))
        #expect(await isDone)
        #expect(SharedSurfaces(store).current(WidgetEntry.self)?.entry.headline == "MI 6/0")
    }

    @Test func theTokenOfTheWidgetsIsReportedOnceAndRemovedWithThem() async throws {
        let store = MemoryStore()
        let (rig, running) = try await Self.rig(store)
        defer { running.cancel() }
        try await rig.next(.get, "/v1/matches/a/surfaces/widget").answer(200, Self.text("a", 5))
        let token = String(repeating: "ab", count: 32)
        SharedSurfaces(store).widgetToken = token
        async let isDone = rig.client.receiveBackgroundPush()
        let put = try await rig.next(.put, "/v1/devices/me/push-tokens/widget")
        #expect(put.request.body.map { String(decoding: $0, as: UTF8.self) }?.contains(token) == true)
        put.answer(201, "{}")
        let surfaces = #"{"control":false,"lockAccessory":false,"standby":false}"#
        try await rig.answerReads(follows: #"{"matchId":"a","surfaces":\#(surfaces)}"#)
        try await rig.next(.get, "/v1/matches/a/surfaces/widget").answer(200, Self.text("a", 6))
        #expect(await isDone)
        SharedSurfaces(store).widgetToken = nil
        await rig.client.enterForeground()
        try await rig.next(.delete, "/v1/devices/me/push-tokens/widget").answer(204, "")
    }

    @Test func theExtensionReadsTheStoredMatchesAgain() async throws {
        let store = MemoryStore()
        let shared = SharedSurfaces(store)
        let rig = LiveRig()
        let written = try ["a", "b"].map { try #require(shared.write(Self.snapshot($0, 1), at: 1)).id }
        _ = shared.retain(written)
        func reload(_ answers: [(Int, String)]) async throws -> Bool {
            async let hasChanged = shared.reload(.widget, over: rig.transport, clock: rig.clock)
            for (status, text) in answers { try await rig.transport.next().answer(status, text) }
            return await hasChanged
        }
        #expect(try await reload([(200, Self.text("a", 2)), (503, "")]))
        #expect(shared.all(WidgetEntry.self).map(\.entry.headline) == ["MI 2/0", "MI 1/0"])
        #expect(try await !reload([(200, Self.text("a", 2)), (410, "")]))
        #expect(shared.all(WidgetEntry.self).count == 2, "the app removes matches, not the extension")
    }

    @Test func aSnapshotThatCannotBeReadRemains() async throws {
        let store = MemoryStore()
        let shared = SharedSurfaces(store)
        let rig = LiveRig()
        let reads = MatchReads(transport: rig.transport, clock: rig.clock)
        let targets = ["a", "b"].map { SurfaceTarget(match: $0, kind: .widget) }
        func refresh(_ answers: [(Int, String)]) async throws -> Set<SurfaceSnapshot.Kind> {
            async let changed = shared.refresh(targets, by: reads, clock: rig.clock)
            for (status, text) in answers { try await rig.transport.next().answer(status, text) }
            return await changed
        }
        #expect(try await refresh([(200, Self.text("a", 1)), (200, Self.text("b", 1))]) == [.widget])
        #expect(shared.all(WidgetEntry.self).map(\.entry.surfaceId) == ["match-a", "match-b"])
        let second = try #require(shared.surface(WidgetEntry.self, of: "b"))
        #expect(shared.select(match: "b") == [.widget] && shared.select(match: "b").isEmpty)
        #expect(shared.select(match: "c").isEmpty && shared.current(WidgetEntry.self) == second)
        rig.clock.advance(by: .seconds(60))
        #expect(try await refresh([(503, ""), (200, Self.text("b", 1))]).isEmpty)
        #expect(shared.current(WidgetEntry.self)?.writtenAt == second.writtenAt + 60)
        #expect(shared.all(WidgetEntry.self).first?.writtenAt == second.writtenAt)
        #expect(try await refresh([(200, Self.text("a", 2)), (410, "")]) == [.widget])
        #expect(shared.all(WidgetEntry.self).map(\.entry.headline) == ["MI 2/0"])
        #expect(shared.current(WidgetEntry.self)?.id == "match-a.widget")
    }

    @Test func anEntryThatCannotBeDecodedLeavesItsReason() throws {
        let store = MemoryStore()
        let shared = SharedSurfaces(store)
        let written = try #require(shared.write(Self.snapshot("a", 1), at: 1))
        _ = shared.retain([written.id])
        store.set(#"{"schemaVersion":"6"}"#, for: "surface.snapshot.match-a.widget")
        #expect(shared.current(WidgetEntry.self) == nil)
        #expect(shared.decodeError(of: written.id)?.contains("schemaVersion") == true)
        _ = shared.write(try Self.snapshot("a", 2), at: 2)
        #expect(shared.decodeError(of: written.id) == nil)
        #expect(shared.current(WidgetEntry.self)?.entry.headline == "MI 2/0")
    }

    @Test func theDefaultsOfAGroupKeepTextsAndNumbers() {
        let group = "score-\(UUID().uuidString)"
        defer { UserDefaults(suiteName: group)?.removePersistentDomain(forName: group) }
        let store = AppGroupDefaults(group)
        store.set("text", for: "a")
        store.set(1_795_000_000, for: "b")
        #expect(AppGroupDefaults(group).text("a") == "text")
        #expect(AppGroupDefaults(group).number("b") == 1_795_000_000)
        #expect(store.number("a") == nil && store.text("c") == nil)
        store.set(String?.none, for: "a")
        #expect(AppGroupDefaults(group).text("a") == nil)
    }
}
