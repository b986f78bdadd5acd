// When a connection must end, by the events on it and the time.

import NIOCore
import Testing

@testable import ScoreServer

@Suite struct ConnectionStateTests {
    private static let limits = ConnectionLimits(
        head: .seconds(5),
        body: .seconds(15),
        idle: .seconds(75),
        output: .seconds(10),
        outputBytes: 1_000,
        linger: .seconds(2),
        drain: .seconds(6),
        requests: 4,
        pipelined: 2
    )

    /// A connection and the seconds since it was opened.
    private struct Connection {
        var state = ConnectionState(ConnectionStateTests.limits, at: .uptimeNanoseconds(0))
        var seconds: UInt64 = 0

        /// Passes an event; the last action of several.
        mutating func take(_ events: ConnectionEvent..., after pause: UInt64 = 0) -> ConnectionAction? {
            seconds += pause
            var last: ConnectionAction?
            for event in events {
                last = state.handle(event, at: .uptimeNanoseconds(seconds * 1_000_000_000)) ?? last
            }
            return last
        }

        /// One request with its answer.
        mutating func exchange() -> ConnectionAction? {
            take(.requestHead, .requestEnd, .bytes, .responseHead(isLast: false), .responseBytes(100), .responseEnd)
        }
    }

    @Test("C5: the first head must arrive in time") func firstHead() {
        var connection = Connection()
        #expect(connection.take(.bytes, .check(unsent: 0), after: 4) == nil)
        #expect(connection.take(.check(unsent: 0), after: 1) == .close(.head))
    }

    @Test("C5: bytes do not extend the time of a head") func drippedHead() {
        var connection = Connection()
        #expect(connection.exchange() == nil)
        #expect(connection.take(.bytes, after: 60) == nil)
        for _ in 0..<4 { #expect(connection.take(.bytes, .check(unsent: 0), after: 1) == nil) }
        #expect(connection.take(.bytes, .check(unsent: 0), after: 1) == .close(.head))
    }

    @Test("C6: bytes do not extend the time of a body") func drippedBody() {
        var connection = Connection()
        #expect(connection.take(.requestHead) == nil)
        for _ in 0..<14 { #expect(connection.take(.bytes, .check(unsent: 0), after: 1) == nil) }
        #expect(connection.take(.bytes, .check(unsent: 0), after: 1) == .close(.body))
    }

    @Test func theTimeOfAHandlerIsNotTheClients() {
        var connection = Connection()
        #expect(connection.take(.requestHead, .requestEnd, .bytes, .check(unsent: 0)) == nil)
        #expect(connection.take(.check(unsent: 0), after: 100) == nil)
        #expect(connection.take(.responseHead(isLast: false), .responseEnd, .check(unsent: 0)) == nil)
        #expect(connection.take(.check(unsent: 0), after: 74) == nil)
        #expect(connection.take(.check(unsent: 0), after: 1) == .close(.idle))
    }

    @Test("C7: a client that reads nothing is cut") func unreadOutput() {
        var connection = Connection()
        #expect(connection.take(.requestHead, .requestEnd, .responseHead(isLast: false), .responseBytes(9_000)) == nil)
        #expect(connection.take(.responseEnd, .check(unsent: 9_000)) == nil)
        #expect(connection.take(.check(unsent: 9_000), after: 9) == nil)
        #expect(connection.take(.check(unsent: 9_000), after: 1) == .close(.output))
    }

    @Test("C7: a client that reads slowly is cut, one that reads enough is not") func slowReader() {
        var connection = Connection()
        #expect(connection.take(.requestHead, .requestEnd, .responseHead(isLast: false), .responseBytes(9_000)) == nil)
        #expect(connection.take(.check(unsent: 9_000)) == nil)
        for round in 1...5 { #expect(connection.take(.check(unsent: 9_000 - round * 1_000), after: 9) == nil) }
        #expect(connection.take(.check(unsent: 3_500), after: 9) == nil)
        #expect(connection.take(.check(unsent: 3_400), after: 1) == .close(.output))
    }

    @Test("C7: further answers do not hide that nothing is read") func growingOutput() {
        var connection = Connection()
        #expect(connection.take(.requestHead, .requestEnd, .responseHead(isLast: false)) == nil)
        for second in 0..<10 {
            let unsent = (second + 1) * 5_000
            #expect(connection.take(.responseBytes(5_000), .check(unsent: unsent), after: second == 0 ? 0 : 1) == nil)
        }
        #expect(connection.take(.responseBytes(5_000), .check(unsent: 55_000), after: 1) == .close(.output))
    }

    @Test("C8: an answer before the end of the body ends the connection") func refusedBody() {
        var connection = Connection()
        #expect(connection.take(.requestHead, .bytes, .responseHead(isLast: false)) == .announceEnd)
        #expect(connection.take(.responseBytes(100), .responseEnd) == .finish(.rejected))
        #expect(connection.state.isClosing)
        #expect(connection.take(.check(unsent: 100), after: 1) == nil)
        #expect(connection.take(.check(unsent: 0), after: 1) == nil)
        #expect(connection.take(.check(unsent: 0), after: 2) == .close(.rejected))
    }

    @Test("C8: a refused body that goes on ends the connection at once") func endlessBody() {
        var connection = Connection()
        #expect(connection.take(.requestHead, .responseHead(isLast: false), .responseEnd) == .finish(.rejected))
        #expect(connection.take(.discarded(Self.limits.lingerBytes)) == nil)
        #expect(connection.take(.discarded(1)) == .close(.rejected))
    }

    @Test("C12: too many requests without an answer end the connection") func pipelining() {
        var connection = Connection()
        #expect(connection.take(.requestHead, .requestEnd, .requestHead, .requestEnd) == nil)
        #expect(connection.take(.requestHead) == .close(.pipelining))
    }

    @Test func aStreamIsAnAnswerInProgress() {
        var connection = Connection()
        #expect(connection.exchange() == nil)
        #expect(!connection.state.isAnswering)
        #expect(connection.take(.requestHead, .requestEnd, .bytes, .responseHead(isLast: false)) == nil)
        #expect(connection.state.isAnswering)
        #expect(connection.take(.check(unsent: 0), after: 600) == nil)
    }

    @Test func theLastRequestOfAConnectionAnnouncesItsEnd() {
        var connection = Connection()
        for _ in 0..<3 { #expect(connection.exchange() == nil) }
        #expect(connection.take(.requestHead, .requestEnd, .responseHead(isLast: false)) == .announceEnd)
        #expect(connection.take(.responseEnd) == .finish(.requests))
    }

    @Test("H4: a shutdown closes idle connections and gives the others a bounded time") func drain() {
        var idle = Connection()
        #expect(idle.take(.drain) == .close(.shutdown))
        var busy = Connection()
        #expect(busy.take(.requestHead, .requestEnd, .drain, .drain) == nil)
        #expect(busy.take(.responseHead(isLast: false)) == .announceEnd)
        #expect(busy.take(.check(unsent: 0), after: 5) == nil)
        #expect(busy.take(.drain, .check(unsent: 0), after: 1) == .close(.shutdown))
        var answered = Connection()
        #expect(answered.take(.requestHead, .requestEnd, .drain, .responseEnd) == .finish(.shutdown))
        var unread = Connection()
        #expect(unread.exchange() == nil)
        #expect(unread.take(.drain) == .finish(.shutdown))
    }
}
