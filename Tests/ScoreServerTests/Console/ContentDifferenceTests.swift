// The changes of a revision on phones are a list of values.

import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct ContentDifferenceTests {
    private static func difference(_ before: String, _ after: String) throws -> [ContentDifference.Value] {
        ContentDifference(
            from: try JSONValue(parsing: Array(before.utf8)),
            to: try JSONValue(parsing: Array(after.utf8))
        ).values
    }

    @Test func changedAddedAndRemovedValuesAreNamedByTheirPath() throws {
        let values = try Self.difference(
            #"{"rev":7,"a":{"score":"87/5","old":1},"teams":[{"s":"1"},{"s":"2"}],"same":{"x":[1]}}"#,
            #"{"rev":8,"a":{"score":"87/6","event":{"kind":"wicket"}},"teams":[{"s":"1"},{"s":"3"}],"same":{"x":[1]}}"#
        )
        #expect(
            values == [
                .init(path: "a.score", before: "87/5", after: "87/6"), .init(path: "a.old", before: "1", after: nil),
                .init(path: "a.event.kind", before: nil, after: "wicket"),
                .init(path: "teams.1.s", before: "2", after: "3"),
            ]
        )
    }

    @Test func aListOfTextsIsOneValue() throws {
        let values = try Self.difference(#"{"recent":["1","4"]}"#, #"{"recent":["4","W"]}"#)
        #expect(values == [.init(path: "recent", before: "1 4", after: "4 W")])
    }

    @Test func theRevisionAloneIsNoDifference() throws {
        #expect(try Self.difference(#"{"rev":1,"a":null}"#, #"{"rev":2,"a":null}"#) == [])
    }
}
