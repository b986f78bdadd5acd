// A match as the server sends it, for polls, streams and starts.

import Foundation
import LiveSurface

enum SampleMatch {
    static func display(_ rev: Int64, _ state: MatchDisplayState = .live) -> LiveActivityAttributes.ContentState {
        LiveActivityAttributes.ContentState(
            rev: rev,
            matchDisplayState: state,
            compactLeading: .init(teamAbbr: "MI", score: "1/0"),
            compactTrailing: .init(text: "0.1 ov"),
            minimal: .init(text: "1/0"),
            expanded: .init(teams: [], batters: [], recent: [], line: ""),
            lockScreen: .init(line: ""),
            small: .init(top: "", bottom: "", line: "")
        )
    }

    /// A content state as JSON.
    static func json(_ rev: Int64, _ state: MatchDisplayState = .live) -> String {
        let data = try? JSONEncoder().encode(display(rev, state))
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    /// The answer of `GET /v1/matches/a`; the members are added, each with a comma before it.
    static func detail(_ rev: Int64, _ state: MatchDisplayState = .live, members: String = "") -> String {
        "{\"id\":\"a\",\"epoch\":\"e\",\"rev\":\(rev),\"format\":\"T20\",\"teams\":[],\"nextPollMs\":3000,"
            + "\"display\":\(json(rev, state))\(members)}"
    }

    /// A `state` event of a stream.
    static func event(_ rev: Int64, epoch: String = "e") -> String {
        "event: state\ndata: \(eventData(rev, epoch: epoch))\nid: \(epoch).\(rev)\n\n"
    }

    /// The data of a `state` event.
    static func eventData(_ rev: Int64, epoch: String = "e") -> String {
        "{\"matchId\":\"a\",\"epoch\":\"\(epoch)\",\"rev\":\(rev),\"display\":\(json(rev)),\"urgent\":false}"
    }

    static let hello = "event: hello\ndata: {\"heartbeatMs\":15000}\n\n"
}
