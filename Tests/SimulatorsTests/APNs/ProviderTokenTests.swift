// A provider token has a signature, a key, a team and an age; Apple checks all four.

import ScoreTypes
import Simulators
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ProviderTokenTests {
    private func answer(
        header: String = #"{"alg":"ES256","kid":"ABCDEFGHIJ"}"#,
        claims: String = #"{"iss":"TEAMTEAM01","iat":1780000000}"#,
        change: (String) -> String = { $0 }
    ) async throws -> AppleAnswer {
        let rig = try await AppleRig()
        let (token, _) = try rig.phone(1)
        let jwt = "bearer " + change(rig.key.sign(header: header, claims: claims))
        let answer = await rig.post.send(rig.push(to: token, jwt: jwt))
        await rig.stop()
        return answer
    }

    @Test func aValidTokenIsAccepted() async throws {
        #expect(try await answer().status == 200)
    }

    @Test(arguments: [
        #"{"alg":"ES256"}"#, #"{"alg":"ES256","kid":"ABCDEFGHIK"}"#, #"{"alg":"none","kid":"ABCDEFGHIJ"}"#,
    ])
    func anotherKeyOrAlgorithmIsRefused(header: String) async throws {
        #expect(try await answer(header: header).reason == "InvalidProviderToken")
    }

    @Test(arguments: [
        #"{"iss":"TEAMTEAM02","iat":1780000000}"#, #"{"iss":"TEAMTEAM01","iat":"1780000000"}"#,
        #"{"iss":"TEAMTEAM01"}"#, #"{"iat":1780000000}"#,
    ])
    func anotherTeamOrAnInvalidAgeIsRefused(claims: String) async throws {
        #expect(try await answer(claims: claims).reason == "InvalidProviderToken")
    }

    @Test func aSignatureOfOtherTextIsRefused() async throws {
        let answer = try await answer { jwt in
            let last: Character = jwt.last == "A" ? "E" : "A"
            return String(jwt.dropLast(3)) + String(repeating: last, count: 3)
        }
        #expect(answer.status == 403)
        #expect(answer.reason == "InvalidProviderToken")
    }

    @Test func aTokenOlderThanAnHourIsRefused() async throws {
        #expect(try await answer(claims: #"{"iss":"TEAMTEAM01","iat":1779996400}"#).status == 200)
        let old = try await answer(claims: #"{"iss":"TEAMTEAM01","iat":1779996399}"#)
        #expect(old.status == 403)
        #expect(old.reason == "ExpiredProviderToken")
    }

    @Test func aKnownTokenExpires() async throws {
        let rig = try await AppleRig()
        let (token, _) = try rig.phone(1)
        let request = rig.push(to: token, jwt: rig.jwt())
        #expect(await rig.post.send(request).status == 200)
        rig.time.advance(by: .seconds(3600))
        #expect(await rig.post.send(request).status == 200)
        rig.time.advance(by: .seconds(1))
        #expect(await rig.post.send(request).reason == "ExpiredProviderToken")
        #expect(
            await rig.post.send(request.with("authorization", rig.jwt(issuedAt: rig.time.now.seconds))).status == 200
        )
        await rig.stop()
    }

    @Test func theAgeMayHaveAFraction() async throws {
        // PyAPNs2 writes the value of time.time().
        #expect(try await answer(claims: #"{"iss":"TEAMTEAM01","iat":1779999999.25}"#).status == 200)
        #expect(try await answer(claims: #"{"iss":"TEAMTEAM01","iat":1e300}"#).reason == "InvalidProviderToken")
    }
}

/// Rules that APNs applies to each connection by itself.
@Suite(.timeLimit(.minutes(1)))
struct ConnectionTokenTests {
    @Test func aNewTokenWithinTwentyMinutesIsRefused() async throws {
        let rig = try await AppleRig()
        let (token, _) = try rig.phone(1)
        let first = rig.push(to: token, jwt: rig.jwt())
        #expect(await rig.post.send(first).status == 200)
        rig.time.advance(by: .seconds(1199))
        let second = first.with("authorization", rig.jwt(issuedAt: rig.time.now.seconds))
        let early = await rig.post.send(second)
        #expect(early.status == 429)
        #expect(early.reason == "TooManyProviderTokenUpdates")
        #expect(await rig.post.send(first).status == 200)
        rig.time.advance(by: .seconds(1))
        #expect(await rig.post.send(second).status == 200)
        #expect(await rig.post.send(first).reason == "TooManyProviderTokenUpdates", "a return is an update too")
        await rig.stop()
    }

    @Test func eachConnectionMayHaveATokenOfItsOwn() async throws {
        let rig = try await AppleRig()
        let (token, _) = try rig.phone(1)
        var connections = [rig.post]
        for _ in 1..<20 { connections.append(await rig.anotherConnection()) }
        let tokens = connections.indices.map { rig.jwt(issuedAt: AppleRig.now - Int64($0)) }
        for _ in 1...2 {
            for (connection, jwt) in zip(connections, tokens) {
                #expect(await connection.send(rig.push(to: token, jwt: jwt)).status == 200)
            }
        }
        #expect(rig.simulator.statistics.refused.isEmpty)
        // The management server counts its connections separately, too.
        _ = try await rig.createChannel(policy: 0, jwt: rig.jwt(issuedAt: AppleRig.now - 30))
        await rig.stop()
    }

    @Test func tokensThatConnectionsDoNotShareAreCounted() async throws {
        let rig = try await AppleRig()
        let (token, _) = try rig.phone(1)
        let first = rig.jwt()
        let connections = [rig.post, await rig.anotherConnection(), await rig.anotherConnection()]
        for connection in connections {
            #expect(await connection.send(rig.push(to: token, jwt: first)).status == 200)
        }
        #expect(rig.simulator.statistics.providerTokensMost == [AppleRig.keyID: 1], "all share one token")
        rig.time.advance(by: .seconds(1_200))
        let second = rig.jwt(issuedAt: rig.time.now.seconds)
        #expect(await connections[0].send(rig.push(to: token, jwt: second)).status == 200)
        #expect(rig.simulator.statistics.providerTokensMost == [AppleRig.keyID: 1], "the first one is out of use")
        #expect(await connections[1].send(rig.push(to: token, jwt: first)).status == 200)
        #expect(rig.simulator.statistics.providerTokensMost == [AppleRig.keyID: 2])
        let third = rig.jwt(issuedAt: rig.time.now.seconds - 1)
        #expect(await connections[2].send(rig.push(to: token, jwt: third)).status == 200)
        #expect(rig.simulator.statistics.providerTokensMost == [AppleRig.keyID: 3])
        await rig.stop()
    }

    @Test func aChannelConnectionHasTheSameRule() async throws {
        let rig = try await AppleRig()
        let path = "/1/apps/\(AppleRig.bundle)/all-channels"
        let list = AppleRequest(method: "GET", path: path, headers: [("authorization", rig.jwt())])
        #expect(await rig.manage.send(list).status == 200)
        let second = await rig.manage.send(list.with("authorization", rig.jwt(issuedAt: AppleRig.now - 1)))
        #expect(second.reason == "TooManyProviderTokenUpdates")
        #expect(await rig.manage.send(list).status == 200)
        await rig.stop()
    }

    @Test func anotherKeyNeedsAnotherConnection() async throws {
        let other = try #require(ProviderKey())
        let rig = try await AppleRig { $0.otherKeys = ["SECONDKEY1": other.publicPEM] }
        let (token, _) = try rig.phone(1)
        let first = rig.push(to: token, jwt: rig.jwt())
        let claims = #"{"iss":"TEAMTEAM01","iat":1780000000}"#
        let replaced = first.with(
            "authorization",
            "bearer " + other.sign(header: #"{"alg":"ES256","kid":"SECONDKEY1"}"#, claims: claims)
        )
        #expect(await rig.post.send(first).status == 200)
        rig.time.advance(by: .seconds(1800))
        let mixed = await rig.post.send(replaced)
        #expect(mixed.status == 403)
        #expect(mixed.reason == "UnrelatedKeyIdInToken")
        #expect(await rig.post.send(first).status == 200)
        #expect(await rig.anotherConnection().send(replaced).status == 200)
        let forged = first.with(
            "authorization",
            "bearer " + rig.key.sign(header: #"{"alg":"ES256","kid":"SECONDKEY1"}"#, claims: claims)
        )
        #expect(await rig.anotherConnection().send(forged).reason == "InvalidProviderToken")
        await rig.stop()
    }

    @Test func anExpiredTokenLimitsTheConnectionToOneStream() async throws {
        let rig = try await AppleRig()
        let (token, _) = try rig.phone(1)
        let request = rig.push(to: token, jwt: rig.jwt())
        _ = await rig.post.send(request)
        #expect(await rig.post.send(request).streamLimit == 1000)
        rig.time.advance(by: .seconds(3601))
        #expect(await rig.post.send(request).reason == "ExpiredProviderToken")
        #expect(await rig.post.send(request).streamLimit == 1)
        let renewed = request.with("authorization", rig.jwt(issuedAt: rig.time.now.seconds))
        _ = await rig.post.send(renewed)
        #expect(await rig.post.send(renewed).streamLimit == 1000)
        await rig.stop()
    }
}
