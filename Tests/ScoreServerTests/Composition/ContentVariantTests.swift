// The version that an app registers selects the content of its activities: stored, and read back with the tokens.

import FollowService
import LiveActivities
import MatchEngine
import MatchSamples
import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import ScoreServer

@Suite struct ContentVariantTests {
    private static let match = MatchID(unchecked: "mi-csk")
    private static let ownType = "LiveActivityAttributes"

    /// Runs the body with a store and arenas that follow its changes.
    private func withArenas(_ body: @Sendable (StoredDependencies, ArenaIndex) async throws -> Void) async throws {
        let info = try await ScratchDatabase.make()
        try await withStore(on: info) { stores in
            let arenas = ArenaIndex(info: info, pool: stores.pool, clock: ServiceClock())
            let following = Task { await arenas.run() }
            let result: Result<Void, any Error>
            do { result = .success(try await body(stores, arenas)) } catch { result = .failure(error) }
            following.cancel()
            await following.value
            try result.get()
        }
    }

    private static func register(_ stores: StoredDependencies, versions: [Int], number: Int = 1) async throws
        -> [String:
        String]
    {
        try await stores.register(
            Samples.registration.replacing(
                #""contentSchemaVersions":[1]"#,
                with: "\"contentSchemaVersions\":\(versions)"
            ),
            key: "0123456789abcde\(number)"
        )
    }

    /// Registers an activity with the token of a number.
    private static func activity(
        _ stores: StoredDependencies,
        of phone: [String: String],
        number: UInt8 = 1,
        sequence: Int = 1,
        extra: String = ""
    ) async throws {
        let token = Hex.string([UInt8](repeating: number, count: 32))
        let json = """
            {"matchId":"\(Samples.match)","token":"\(token)","apnsEnvironment":"sandbox",\
            "startedAtMs":\(ServiceClock().wall.milliseconds),"clientSeq":\(sequence)\(extra)}
            """
        let answer = try await stores.client.send("PUT", "/v1/devices/me/activities/A-1", phone, json: json)
        #expect(answer.status < 300)
    }

    /// The variants of the fan-out, by the number of the token.
    private static func walked(_ arenas: ArenaIndex) async throws -> [UInt8: ActivityVariant] {
        try await arenas.own(Bucket.all)
        try await arenas.open(Samples.match)
        var found: [UInt8: ActivityVariant] = [:]
        for bucket in arenas.buckets(of: Samples.match) {
            _ = arenas.slice(match: Samples.match, bucket: bucket) { slice in
                slice.forEach { found[$0.token[0]] = $0.activity.variant }
            }
        }
        arenas.close(Samples.match)
        return found
    }

    @Test func anActivityReceivesTheVersionThatItsAppRegistered() async throws {
        try await withArenas { stores, arenas in
            for (number, versions) in [(1, [1]), (2, [1, 2]), (3, [2, 9]), (4, [9]), (5, [1, 2])] {
                let phone = try await Self.register(stores, versions: versions, number: number)
                let type = number == 5 ? #","attributesType":"\#(SurfaceRenderer.attributesType)""# : ""
                try await Self.activity(stores, of: phone, number: UInt8(number), extra: type)
            }
            let walked = try await Self.walked(arenas)
            #expect(walked == [1: .own, 2: .ownNewest, 3: .ownNewest, 4: .own, 5: .portable])
        }
    }

    @Test func anActivityMayNameAnotherVersionThanItsDevice() async throws {
        try await withArenas { stores, arenas in
            let phone = try await Self.register(stores, versions: [1, 2])
            try await Self.activity(stores, of: phone, extra: #","schemaVersion":1"#)
            #expect(try await Self.walked(arenas) == [1: .own])
            try await Self.activity(stores, of: phone, sequence: 2, extra: #","schemaVersion":7"#)
            #expect(try await Self.walked(arenas) == [1: .ownNewest], "a later app reads every older layout")
        }
    }

    @Test func aDeviceReadsTheVersionsOfItsRegistration() async throws {
        try await withArenas { stores, arenas in
            let phone = try await Self.register(stores, versions: [1, 2, 9])
            let read = try await stores.client.get("/v1/devices/me", phone)
            #expect(read.json["contentSchemaVersions"]?.list.map(\.int) == [1, 2, 9])
            let patch = #"{"contentSchemaVersions":[1]}"#
            let patched = try await stores.client.send("PATCH", "/v1/devices/me", phone, json: patch)
            #expect(patched.json["contentSchemaVersions"]?.list.map(\.int) == [1])
            #expect(patched.json["stringsVersion"]?.int == 0)
            let texts = try await stores.client.send("PATCH", "/v1/devices/me", phone, json: #"{"stringsVersion":3}"#)
            #expect(texts.json["stringsVersion"]?.int == 3)
            let none = try await stores.client.send("PATCH", "/v1/devices/me", phone, json: #"{"stringsVersion":0}"#)
            #expect(none.json["stringsVersion"]?.int == 0, "a person may choose a language without a table")
            try await Self.activity(stores, of: phone)
            #expect(try await Self.walked(arenas) == [1: .own])
        }
    }
}
