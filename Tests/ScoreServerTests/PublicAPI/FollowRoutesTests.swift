// Following, no longer following, and bringing whole lists over.

import MatchSamples
import ScoreTypes
import Synchronization
import Testing

@testable import ScoreServer

@Suite struct FollowRoutesTests {
    private static func rooms() throws -> TestRooms {
        let rooms = TestRooms()
        rooms.shelf.put(try Samples.view(7))
        return rooms
    }

    private static func stored(_ wish: FollowWish, _ sequence: Int64) -> FollowView {
        FollowView(wish: wish, clientSequence: sequence, changedAt: Instant(milliseconds: 9))
    }

    @Test func followNamesATeamAndAlerts() async throws {
        let device = Samples.device()
        let wishes = Mutex<[FollowWish]>([])
        var rooms = try Self.rooms()
        rooms.devices.onHash = device.hash
        rooms.follows.onPut = { wish, sequence in
            wishes.withLock { $0.append(wish) }
            return .stored(Self.stored(wish, sequence), isNew: true)
        }
        try await withServer(rooms) { server in
            let path = "/v1/devices/me/follows/ipl-final"
            let json =
                #"{"teamIntent":"csk","surfaces":{"liveActivity":true,"alerts":["wicket","result"]},"clientSeq":3}"#
            let answer = try await server.publicClient.send("PUT", path, device.headers, json: json)
            #expect(answer.status == 201)
            #expect(answer.json["team"]?.int == 2)
            let wish = try #require(wishes.withLock { $0.first })
            #expect(wish.alerts == [.wicket, .result] && wish.teamIntent == 2 && wish.wantsActivity)
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

    @Test func lateUnfollowCannotUndoANewerFollow() async throws {
        let device = Samples.device()
        var rooms = try Self.rooms()
        rooms.devices.onHash = device.hash
        let wish = FollowWish(match: Samples.match, teamIntent: 0, alerts: [.result], wantsActivity: true)
        rooms.follows.onRemove = { _, sequence in
            sequence < 8 ? .stale(clientSequence: 8, current: Self.stored(wish, 8)) : nil
        }
        try await withServer(rooms) { server in
            let path = "/v1/devices/me/follows/ipl-final"
            let late = try await server.publicClient.send("DELETE", path + "?clientSeq=7", device.headers)
            #expect(late.status == 409)
            #expect(late.json["current"]?["matchId"]?.string == "ipl-final")
            #expect(try await server.publicClient.send("DELETE", path + "?clientSeq=8", device.headers).status == 204)
        }
    }

    @Test func wholeListReplacesAndRefusesDoubles() async throws {
        let device = Samples.device()
        var rooms = try Self.rooms()
        rooms.devices.onHash = device.hash
        rooms.follows.onReplace = { wishes, sequence in
            .stored(
                follows: wishes.map { Self.stored($0, sequence) },
                added: [Samples.match],
                removed: [],
                outdated: []
            )
        }
        try await withServer(rooms) { server in
            let path = "/v1/devices/me/follows"
            let json = #"{"follows":[{"matchId":"ipl-final"}],"clientSeq":3}"#
            let answer = try await server.publicClient.send("PUT", path, device.headers, json: json)
            #expect(answer.json["added"]?.list == [.text("ipl-final")])
            let twice = #"{"follows":[{"matchId":"ipl-final"},{"matchId":"ipl-final"}],"clientSeq":3}"#
            #expect(try await server.publicClient.send("PUT", path, device.headers, json: twice).status == 422)
        }
    }
}
