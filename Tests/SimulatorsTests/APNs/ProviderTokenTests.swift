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
        await rig.stop()
    }
}
