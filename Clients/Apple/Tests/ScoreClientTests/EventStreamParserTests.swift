// The parser gives the same events for every way in which the network splits the bytes.

import Testing

@testable import ScoreClient

@Suite struct EventStreamParserTests {
    private static let text =
        ":padding\nretry: 2500\n\nevent: hello\ndata: {\"v\":1}\n\n"
        + ": comment\r\nevent: state\r\ndata: a\r\ndata\r\ndata:b\r\n"
        + "id: e.1\r\n\r\nid: e.2\rdata:  two\r\revent: ping\ndata: {}\n\nunknown: x\ndata: ü€😀\nid: bad\0id\n\n"
        + "event: lost\nid: e.3\n\ndata: cut off"

    private static let expected = [
        ServerSentEvent(name: "hello", data: "{\"v\":1}", id: ""),
        ServerSentEvent(name: "state", data: "a\n\nb", id: "e.1"),
        ServerSentEvent(name: "message", data: " two", id: "e.2"),
        ServerSentEvent(name: "ping", data: "{}", id: "e.2"),
        ServerSentEvent(name: "message", data: "ü€😀", id: "e.2"),
    ]

    @Test func everyWayToSplitGivesTheSameEvents() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("seed of the splits: \(seed)")
        var random = SeededSource(seed)
        for most in [1, 2, 3, 7, 40, 1000] {
            for _ in 0..<200 {
                var parser = EventStreamParser()
                var rest = Array(Self.text.utf8)[...]
                var events: [ServerSentEvent] = []
                while !rest.isEmpty {
                    let count = min(rest.count, Int.random(in: 1...most, using: &random))
                    events += try parser.read(rest.prefix(count))
                    rest = rest.dropFirst(count)
                }
                #expect(events == Self.expected, "seed \(seed)")
                #expect(parser.retry == .milliseconds(2500))
                #expect(parser.lastEventID == "e.3")
            }
        }
    }

    @Test func aByteOrderMarkIsSkippedOnce() throws {
        var parser = EventStreamParser()
        let events = try parser.read([0xef, 0xbb, 0xbf] + Array("data: x\n\n".utf8))
        #expect(events.map(\.data) == ["x"])
    }

    @Test func retryTakesDigitsOnly() throws {
        var parser = EventStreamParser()
        _ = try parser.read(Array("retry: 12x\nretry:\nretry: -5\nretry: 99999999999999999999\n".utf8))
        #expect(parser.retry == nil)
    }

    @Test func linesAndEventsAreBounded() throws {
        var parser = EventStreamParser()
        #expect(throws: EventStreamParser.Failure.lineTooLong) {
            _ = try parser.read([UInt8](repeating: 97, count: ClientLimits.eventLineBytes + 1))
        }
        let line = Array("data: ".utf8) + [UInt8](repeating: 97, count: 60_000) + [10]
        var other = EventStreamParser()
        #expect(throws: EventStreamParser.Failure.eventTooLong) {
            for _ in 0..<3 { _ = try other.read(line) }
        }
    }

    @Test func aLongIDIsIgnored() throws {
        var parser = EventStreamParser(lastEventID: "e.9")
        let id = String(repeating: "a", count: ClientLimits.eventIDBytes + 1)
        let events = try parser.read(Array("id: \(id)\ndata: x\n\n".utf8))
        #expect(events.first?.id == "e.9")
    }

    @Test func randomBytesNeverFailOtherwise() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("seed of the bytes: \(seed)")
        var random = SeededSource(seed)
        let alphabet: [UInt8] = [0, 10, 13, 32, 58, 97, 100, 101, 105, 116, 255]
        for _ in 0..<500 {
            var parser = EventStreamParser()
            let bytes = (0..<200).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
            _ = try parser.read(bytes)
        }
    }
}
