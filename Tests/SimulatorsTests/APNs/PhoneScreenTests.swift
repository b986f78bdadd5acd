import LiveSurface
import Testing

@testable import Simulators

@Suite struct PhoneScreenTests {
    private func push(_ event: String, timestamp: Int64, rev: Int64) -> PhonePush {
        let state = """
            {"v":1,"rev":\(rev),"matchDisplayState":"live","compactLeading":{"teamAbbr":"A","score":"1/0"},\
            "compactTrailing":{"text":"0.1 ov"},"minimal":{"text":"1/0"},"expanded":{"teams":[],"line":"x"},\
            "lockScreen":{"line":"x"},"small":{"top":"a","bottom":"b","line":"c"}}
            """
        let body = "{\"aps\":{\"timestamp\":\(timestamp),\"event\":\"\(event)\",\"content-state\":\(state)}}"
        return PhonePush(Array(body.utf8))
    }

    @Test func anOlderTimestampIsIgnored() {
        var screen = PhoneScreen()
        screen.receive(push("start", timestamp: 10, rev: 5))
        screen.receive(push("update", timestamp: 9, rev: 4))
        #expect(screen.revision == 5 && screen.ignored == 1 && screen.wentBack == 0)
    }

    @Test func anOlderStateUnderANewerTimestampIsCounted() {
        var screen = PhoneScreen()
        screen.receive(push("start", timestamp: 10, rev: 5))
        screen.receive(push("update", timestamp: 11, rev: 4))
        #expect(screen.wentBack == 1)
    }

    @Test func anEndIsAcceptedWhateverItsAge() {
        var screen = PhoneScreen()
        screen.receive(push("update", timestamp: 10, rev: 5))
        screen.receive(push("end", timestamp: 10, rev: 5))
        #expect(screen.isEnded && screen.wentBack == 0)
        screen.receive(push("update", timestamp: 12, rev: 6))
        #expect(screen.revision == 5)
    }

    @Test func invalidPayloadsChangeNothing() {
        var screen = PhoneScreen()
        screen.receive(PhonePush(Array("{}".utf8)))
        #expect(screen.revision == 0 && screen.undecodable == 1)
    }
}
