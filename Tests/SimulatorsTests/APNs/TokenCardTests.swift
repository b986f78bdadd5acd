// The cards of tokens without a phone; the rules themselves are tested with the activities of phones.

import Testing

@testable import Simulators

@Suite struct TokenCardTests {
    private static let now = PhoneTime(wall: PhoneStateRig.wall * 1000, domain: .zero, real: .zero)
    private static let second = PhoneStateRig.wall

    private func card(_ bodies: String...) -> TokenCard {
        bodies.reduce(into: TokenCard()) { $0.receive(PhonePush(Array($1.utf8)), at: Self.now) }
    }

    @Test func anOlderTimestampIsIgnored() {
        let card = card(
            PushBody.update(rev: 5, timestamp: Self.second),
            PushBody.update(rev: 4, timestamp: Self.second - 1)
        )
        #expect(card.revision == 5 && card.timestamp == Self.second && card.ignored == 1 && card.wentBack == 0)
    }

    @Test func anOlderStateUnderANewerTimestampIsCounted() {
        let card = card(
            PushBody.update(rev: 5, timestamp: Self.second),
            PushBody.update(rev: 4, timestamp: Self.second + 1)
        )
        #expect(card.revision == 4 && card.wentBack == 1)
    }

    @Test func anEndIsAcceptedWhateverItsAge() {
        let card = card(
            PushBody.update(rev: 5, timestamp: Self.second),
            PushBody.end(rev: 5, timestamp: Self.second - 1),
            PushBody.update(rev: 6, timestamp: Self.second + 2)
        )
        #expect(card.isEnded && card.revision == 5 && card.wentBack == 0 && card.ignored == 1)
    }

    @Test func aStartBeginsAnotherActivity() {
        let card = card(
            PushBody.start(match: "m1", rev: 5, timestamp: Self.second),
            PushBody.end(rev: 6, timestamp: Self.second),
            PushBody.start(match: "m2", rev: 1, timestamp: Self.second)
        )
        #expect(!card.isEnded && card.revision == 1 && card.wentBack == 0)
    }

    @Test func aTimestampFarAheadIsIgnored() {
        let card = card(PushBody.update(rev: 5, timestamp: Self.second + 9 * 3_600))
        #expect(card.revision == 0 && card.ignored == 1)
    }

    @Test func invalidPayloadsChangeNothing() {
        let broken = PushBody.content(2).replacing(#""minimal""#, with: #""m""#)
        let card = card("{}", PushBody.update(rev: 2, timestamp: Self.second, content: broken))
        #expect(card.revision == 0 && card.undecodable == 2)
    }
}
