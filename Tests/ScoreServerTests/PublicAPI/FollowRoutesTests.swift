// The routes of follows: one follow, one unfollow, a whole list.

import MatchJournal
import MatchSamples
import Providers
import ScoreTypes
import Synchronization
import Testing

@testable import FollowService
@testable import ScoreServer

@Suite struct FollowRoutesTests {
    private static func stubs() throws -> TestDependencies {
        var stubs = TestDependencies()
        stubs.matches.put(try Samples.view(7))
        stubs.devices.onFind = { id in DeviceRecord(of: id) }
        return stubs
    }

    private static func stored(_ settings: FollowSettings, _ device: DeviceID, _ sequence: Int64) -> Follow {
        Follow(
            device: device,
            settings: settings,
            isFollowed: true,
            isDismissed: false,
            clientSequence: sequence,
            changedAt: Instant(milliseconds: 9)
        )
    }

    @Test func aFollowStoresATeamAndAlerts() async throws {
        let device = Samples.device()
        let stored = Mutex<[FollowSettings]>([])
        var stubs = try Self.stubs()
        stubs.devices.onHash = device.hash
        stubs.follows.onPut = { settings, device, sequence in
            stored.withLock { $0.append(settings) }
            return .stored(Self.stored(settings, device, sequence), isNew: true)
        }
        try await withServer(stubs) { server in
            let path = "/v1/devices/me/follows/ipl-final"
            let json =
                #"{"teamIntent":"csk","surfaces":{"liveActivity":true,"alerts":["wicket","result"]},"clientSeq":3}"#
            let answer = try await server.publicClient.send("PUT", path, device.headers, json: json)
            #expect(answer.status == 201)
            #expect(answer.json["team"]?.int == 2)
            let first = try #require(stored.withLock { $0.first })
            #expect(first.alerts == [.wicket, .result] && first.teamIntent == .second && first.wantsActivity)
            let plain = try await server.publicClient.send("PUT", path, device.headers, json: #"{"clientSeq":4}"#)
            #expect(plain.json["surfaces"]?["alerts"]?.list.count == 4)
            let team = #"{"teamIntent":"rcb","clientSeq":3}"#
            let wrong = try await server.publicClient.send("PUT", path, device.headers, json: team)
            #expect(wrong.status == 422)
            let unknown = "/v1/devices/me/follows/nowhere"
            #expect(try await server.publicClient.send("PUT", unknown, device.headers, json: json).status == 404)
            let query = try await server.publicClient.send("PUT", path + "?x=1", device.headers, json: json)
            #expect(query.status == 400 && query.problem == "unknown-parameter")
        }
    }

    @Test func aLateUnfollowDoesNotEndANewerFollow() async throws {
        let device = Samples.device()
        var stubs = try Self.stubs()
        stubs.devices.onHash = device.hash
        let newer = Self.stored(FollowSettings(match: Samples.match, alerts: [.result]), device.id, 8)
        stubs.follows.onRemove = { _, _, sequence in sequence < 8 ? .outdated(newer) : .unchanged(newer) }
        try await withServer(stubs) { server in
            let path = "/v1/devices/me/follows/ipl-final"
            let late = try await server.publicClient.send("DELETE", path + "?clientSeq=7", device.headers)
            #expect(late.status == 409)
            #expect(late.json["current"]?["matchId"]?.string == "ipl-final")
            #expect(try await server.publicClient.send("DELETE", path + "?clientSeq=8", device.headers).status == 204)
        }
    }

    @Test func aListReplacesAllFollowsAndRefusesDuplicates() async throws {
        let device = Samples.device()
        var stubs = try Self.stubs()
        stubs.devices.onHash = device.hash
        stubs.follows.onReplace = { list, device, sequence in
            .replaced(
                FollowListChange(
                    follows: list.map { Self.stored($0, device, sequence) },
                    added: [Samples.match],
                    removed: [],
                    outdated: []
                )
            )
        }
        try await withServer(stubs) { server in
            let path = "/v1/devices/me/follows"
            let json = #"{"follows":[{"matchId":"ipl-final"}],"clientSeq":3}"#
            let answer = try await server.publicClient.send("PUT", path, device.headers, json: json)
            #expect(answer.json["added"]?.list == [.text("ipl-final")])
            let twice = #"{"follows":[{"matchId":"ipl-final"},{"matchId":"ipl-final"}],"clientSeq":3}"#
            #expect(try await server.publicClient.send("PUT", path, device.headers, json: twice).status == 422)
        }
    }
}
