// Random histories of losses, crashes and repetitions end with the last choices of the person at the server.

import Foundation
import Testing

@testable import ScoreClient

@Suite struct QueueHistoryTests {
    /// The last choices of the person and the last token.
    private struct Choices {
        var follows: [String: FollowChoices?] = [:]
        var token: String?
        var hasToken = false
    }

    private static func choose(_ rig: inout ClientRig, _ chosen: inout Choices) {
        let match = "m\(Int.random(in: 0..<4, using: &rig.random))"
        switch Int.random(in: 0..<5, using: &rig.random) {
        case 0, 1:
            var choices = FollowChoices()
            choices.moments = Set(FollowChoices.Moment.allCases.filter { _ in rig.random.chance(50) })
            choices.teamIntent = rig.random.chance(30) ? "t\(Int.random(in: 1...2, using: &rig.random))" : nil
            chosen.follows[match] = .some(choices)
            rig.feed(.followed(match: match, choices))
        case 2, 3:
            chosen.follows[match] = .some(nil)
            rig.feed(.unfollowed(match: match))
        default:
            let count = Int.random(in: 32...40, using: &rig.random)
            let token = rig.random.chance(80) ? String(repeating: "ab", count: count) : nil
            chosen.token = token
            chosen.hasToken = true
            rig.feed(.token(.alert, token))
        }
    }

    private static func step(_ rig: inout ClientRig, _ chosen: inout Choices) {
        switch Int.random(in: 0..<100, using: &rig.random) {
        case 0..<35: choose(&rig, &chosen)
        case 35..<60: rig.deliver()
        case 60..<72: rig.lose()
        case 72..<80: rig.deliverDelayed()
        case 80..<88: rig.crash()
        case 88..<91: rig.feed(.enteredForeground)
        case 91..<93: rig.answer(ClientResponse(status: 503, headers: ["retry-after": "2"]))
        case 93..<94: rig.answer(ClientResponse(status: 500))
        case 94..<95: rig.server.forgetDevice()
        default: rig.pass(.milliseconds(Int64.random(in: 1...20_000, using: &rig.random)))
        }
    }

    private static func check(_ rig: ClientRig, _ chosen: Choices, seed: UInt64) {
        for (match, choices) in chosen.follows {
            let stored = rig.server.follows[match]
            let body = choices.flatMap { ClientJSON.encode(FollowRequest($0, sequence: stored?.sequence ?? 0)) }
            #expect(stored?.body == body, "seed \(seed): \(match)")
            #expect(rig.state.record.follows[match]?.choices == choices, "seed \(seed): \(match)")
        }
        if chosen.hasToken { #expect(rig.server.tokens["alert"]?.text == chosen.token, "seed \(seed)") }
        #expect(rig.state.record.queue.changes.isEmpty, "seed \(seed)")
    }

    @Test func tenThousandHistoriesEndWithTheLastChoices() {
        let first = UInt64.random(in: .min ... .max)
        print("first seed of the histories: \(first)")
        for number in 0..<10_000 {
            let seed = first &+ UInt64(number)
            var rig = ClientRig(seed: seed)
            var chosen = Choices()
            rig.launch()
            for _ in 0..<25 { Self.step(&rig, &chosen) }
            rig.feed(.networkReturned)
            // The device is known at the end; a loss of the credential is noticed at the next request.
            rig.feed(.enteredForeground)
            let isSettled = rig.settle()
            #expect(isSettled, "seed \(seed)")
            while !rig.delayed.isEmpty { rig.deliverDelayed() }
            Self.check(rig, chosen, seed: seed)
            if !isSettled { return }
        }
    }
}
