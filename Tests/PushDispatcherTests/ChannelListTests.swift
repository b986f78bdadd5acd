// Lost channels are found by Apple's list, so an unreadable list must not look like an empty one.

import ScoreTypes
import Testing

@testable import PushDispatcher

@Suite struct ChannelListTests {
    private func names(_ json: String) -> [String]? {
        try? ChannelManagement.channels(in: Array(json.utf8)).map(\.text)
    }

    @Test func aListIsReadAndAnEmptyOneIsEmpty() {
        #expect(names(#"{"channels":["b25l","dHdv\/w=="]}"#) == ["b25l", "dHdv/w=="])
        #expect(names(#"{"channels":[]}"#) == [])
    }

    @Test(arguments: ["", "{}", "<html>busy</html>", #"{"channels":null}"#, #"{"channels":["b25l"#])
    func anUnreadableListIsNotAnEmptyOne(_ json: String) {
        #expect(names(json) == nil)
    }
}
