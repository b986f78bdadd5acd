// The required and the optional keys of a content state and of attributes, key by key.

import Foundation
import LiveSurface
import Testing

/// The table of PUBLICATION section 1, written down apart from the code.
@Suite struct PhoneStateTests {
    typealias State = LiveActivityAttributes.ContentState

    private static let json = """
        {"v":2,"rev":412,"matchDisplayState":"live","progress":0.5,
        "compactLeading":{"teamAbbr":"MI","score":"87/6"},
        "compactTrailing":{"overs":"12.3","runRate":"6.96","text":"83 off 45"},
        "minimal":{"text":"87/6","flash":"W"},
        "expanded":{"teams":[{"abbr":"MI","score":"87/6","overs":"12.3","batting":true},
        {"abbr":"CSK","score":"169/9","batting":false}],
        "batters":[{"name":"Hardik Pandya","runs":12,"balls":9,"onStrike":true}],
        "bowler":{"name":"Jasprit Bumrah","figures":"3/17","overs":"2.3"},
        "recent":["1","W"],"line":"MI need 83 from 45 balls","event":{"kind":"wicket","text":"Rohit Sharma"}},
        "lockScreen":{"line":"MI need 83 from 45 balls","sub":"Last wicket"},
        "small":{"top":"MI 87/6","bottom":"CSK 169/9","line":"need 83 (45)"}}
        """

    static let required = [
        "v", "rev", "matchDisplayState", "compactLeading", "compactLeading.teamAbbr", "compactLeading.score",
        "compactTrailing", "compactTrailing.text", "minimal", "minimal.text", "expanded", "expanded.teams",
        "expanded.teams.0.abbr", "expanded.teams.0.score", "expanded.teams.1.batting", "expanded.batters.0.name",
        "expanded.batters.0.runs", "expanded.batters.0.balls", "expanded.batters.0.onStrike", "expanded.bowler.name",
        "expanded.bowler.figures", "expanded.bowler.overs", "expanded.line", "expanded.event.kind",
        "expanded.event.text", "lockScreen", "lockScreen.line", "small", "small.top", "small.bottom", "small.line",
    ]
    static let optional = [
        "progress", "compactTrailing.overs", "compactTrailing.runRate", "minimal.flash", "expanded.teams.0.overs",
        "expanded.batters", "expanded.bowler", "expanded.recent", "expanded.event", "lockScreen.sub",
    ]

    private static func object() throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }

    /// The value with what stands at the path replaced, or taken away for nil.
    private static func changed(_ value: Any, _ path: ArraySlice<Substring>, to new: Any?) -> Any {
        guard let key = path.first else { return value }
        let rest = path.dropFirst()
        if var list = value as? [Any], let index = Int(key) {
            list[index] = changed(list[index], rest, to: new)
            return list
        }
        guard var object = value as? [String: Any], let old = object[String(key)] else { return value }
        object[String(key)] = rest.isEmpty ? new : changed(old, rest, to: new)
        return object
    }

    private static func changed(_ path: String, to new: Any?) throws -> [String: Any] {
        let whole = try object()
        let parts = path.split(separator: ".")[...]
        let object = try #require(changed(whole, parts, to: new) as? [String: Any])
        #expect(!Wire.equal(object, whole), "the sample has no \(path)")
        return object
    }

    private static func read(_ object: [String: Any]) throws -> State {
        try JSONDecoder().decode(State.self, from: JSONSerialization.data(withJSONObject: object))
    }

    @Test func theWholeIsReadAndWrittenBack() throws {
        let object = try Self.object()
        #expect(Wire.equal(try Wire.object(Self.read(object)), object))
    }

    @Test(arguments: required) func aRequiredKeyIsNeededToDraw(path: String) throws {
        for value in [nil, NSNull(), ["x": 1], [["y"]]] as [Any?] {
            let object = try Self.changed(path, to: value)
            #expect(throws: DecodingError.self, "\(String(describing: value))") { try Self.read(object) }
        }
    }

    /// An absent key stays absent when it is written again: it means that there is nothing to draw.
    @Test(arguments: optional) func anOptionalKeyIsNotNeededToDraw(path: String) throws {
        let without = try Self.changed(path, to: nil)
        #expect(Wire.equal(try Wire.object(Self.read(without)), without))
        let wrong = try Self.changed(path, to: ["x": 1])
        #expect(throws: DecodingError.self) { try Self.read(wrong) }
    }

    /// An empty list is no drawing, so its key is left out too.
    @Test(arguments: ["expanded.batters", "expanded.recent"]) func anEmptyListIsNotWritten(path: String) throws {
        let state = try Self.read(Self.changed(path, to: [String]()))
        #expect(Wire.equal(try Wire.object(state), try Self.changed(path, to: nil)))
    }

    @Test(arguments: ["v", "rev", "expanded.batters.0.runs", "expanded.batters.0.balls"])
    func aCountIsAWholeNumber(path: String) throws {
        for value in ["1", 1.5, true] as [Any] {
            let object = try Self.changed(path, to: value)
            #expect(throws: DecodingError.self) { try Self.read(object) }
        }
    }

    @Test(arguments: [
        ("scheduled", MatchDisplayState.scheduled), ("live", .live), ("break", .break), ("delayed", .delayed),
        ("stumps", .stumps), ("superOver", .superOver), ("finished", .finished), ("abandoned", .abandoned),
        ("", .live), ("Live", .live), ("super_over", .live), ("hologram", .live),
    ])
    func anUnknownWordIsTreatedAsLive(word: String, state: MatchDisplayState) throws {
        let read = try Self.read(Self.object().with("matchDisplayState", word))
        #expect(read.matchDisplayState == state)
        #expect(try Wire.object(read)["matchDisplayState"] as? String == state.rawValue)
    }

    @Test func thereAreEightWords() {
        let words = ["scheduled", "live", "break", "delayed", "stumps", "superOver", "finished", "abandoned"]
        #expect(MatchDisplayState.allCases.map(\.rawValue) == words)
    }

    @Test func aStateIsOfVersionOneByDefault() throws {
        var state = try Self.read(Self.object())
        #expect(state.v == 2 && state.progress == 0.5 && state.rev == 412)
        state = State(
            rev: .max,
            matchDisplayState: .break,
            compactLeading: state.compactLeading,
            compactTrailing: .init(text: "Tea"),
            minimal: .init(text: "87/6"),
            expanded: .init(teams: state.expanded.teams, line: "Tea"),
            lockScreen: .init(line: "Tea"),
            small: state.small
        )
        let written = try Wire.object(state)
        #expect(written["v"] as? Int == 1 && written["rev"] as? Int64 == .max && written["progress"] == nil)
        #expect((written["expanded"] as? [String: Any])?.keys.sorted() == ["line", "teams"])
        #expect((written["compactTrailing"] as? [String: Any])?.keys.sorted() == ["text"])
    }

    /// The attributes of a start: two are optional, the rest is needed.
    @Test func attributesAreReadAndWrittenBack() throws {
        let team: [String: Any] = ["id": "1", "name": "India", "abbr": "IND", "color": "#004ba0"]
        let whole: [String: Any] = [
            "matchId": "m1", "teams": [team, team], "competition": "Cup", "format": "t20",
            "deepLink": "score://match/m1",
        ]
        func read(_ object: [String: Any]) throws -> LiveActivityAttributes {
            try JSONDecoder().decode(LiveActivityAttributes.self, from: JSONSerialization.data(withJSONObject: object))
        }
        #expect(Wire.equal(try Wire.object(read(whole)), whole))
        for key in whole.keys {
            let without = whole.with(key, nil)
            if key == "competition" {
                #expect(Wire.equal(try Wire.object(read(without)), without))
            } else {
                #expect(throws: DecodingError.self, "\(key)") { try read(without) }
            }
        }
        for key in team.keys {
            let without = whole.with("teams", [team.with(key, nil)])
            if key == "color" {
                #expect(Wire.equal(try Wire.object(read(without)), without))
            } else {
                #expect(throws: DecodingError.self, "\(key)") { try read(without) }
            }
        }
    }
}
