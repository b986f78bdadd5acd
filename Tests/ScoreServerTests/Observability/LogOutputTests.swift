// A log that stands still delays nothing; operators change its levels, and find its newest warnings in a report.

import Dispatch
import Logging
import Postgres
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import ScoreServer

@Suite(.timeLimit(.minutes(2))) struct LogOutputTests {
    @Test func aStuckReaderDropsLinesAndDelaysNoCaller() async throws {
        let gate = DispatchSemaphore(value: 0)
        let written = Mutex<[[UInt8]]>([])
        let queue = LogQueue { line in
            gate.wait()
            written.withLock { $0.append(line) }
        }
        // The thread may hold a full queue while a second one waits.
        let count = 2 * ServerLimits.logLines + 500
        let started = ContinuousClock.now
        for number in 0..<count { queue.put(Array("\(number)\n".utf8)) }
        #expect(ContinuousClock.now - started < .seconds(5))
        for _ in 0..<count { gate.signal() }
        try await eventually("the lines that waited are written, in their order") {
            written.withLock { $0.count } >= ServerLimits.logLines
        }
        await queue.finish()
        let lines = written.withLock { $0 }
        #expect(lines.count < count, "the rest is dropped")
        #expect(lines.prefix(3).map { String(decoding: $0, as: UTF8.self) } == ["0\n", "1\n", "2\n"])
    }

    @Test func theRingKeepsTheNewestLines() {
        let ring = LogRing()
        for number in 0..<ServerLimits.keptLogLines + 3 { ring.put(Array("line \(number)\n".utf8)) }
        #expect(ring.lines.count == ServerLimits.keptLogLines)
        #expect(ring.lines.first == "line 3" && ring.lines.last == "line \(ServerLimits.keptLogLines + 2)")
        ring.put(Array(repeating: UInt8(ascii: "x"), count: 100_000))
        #expect(ring.lines.last?.utf8.count == ServerLimits.keptLogLineBytes)
    }

    private static func change(_ component: String, _ match: String?, _ level: Logger.Level, until: Instant)
        -> LogLevelChange
    {
        LogLevelChange(
            component: component,
            match: match.flatMap { MatchID($0) },
            node: nil,
            level: level,
            expiresAt: until,
            changedBy: "token:ana",
            reason: "an incident"
        )
    }

    @Test func aMatchAndALongerBeginningWinUntilTheirEnd() {
        let time = ManualClock()
        let clock = time.clock()
        let logs = NodeLogs(levels: LogLevels(base: .warning, clock: clock))
        let written = Mutex<[String]>([])
        func logger(_ label: String) -> Logger {
            Logger(label: label) { label in
                LineLogHandler(label: label, format: .text, node: "n1", clock: clock, logs: logs) { line in
                    written.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
                }
            }
        }
        let (push, pushAttempts, feed) = (logger("score.push"), logger("score.push.attempts"), logger("score.feed"))
        func lines(_ log: Logger, _ metadata: Logger.Metadata = [:]) -> [Logger.Level] {
            Logger.Level.allCases.filter { level in
                let before = written.withLock { $0.count }
                log.log(level: level, "m", metadata: metadata)
                return written.withLock { $0.count } > before
            }
        }
        #expect(lines(push) == [.warning, .error, .critical])
        let end = clock.wall + .seconds(60)
        logs.levels.replace([
            Self.change("score.push", nil, .debug, until: end),
            Self.change("score.push.attempts", nil, .error, until: end),
            Self.change("", "ipl-final", .trace, until: end + .seconds(60)),
        ])
        #expect(lines(push).first == .debug && lines(pushAttempts).first == .error && lines(feed).first == .warning)
        #expect(lines(feed, ["match.id": "ipl-final"]).first == .trace)
        #expect(lines(feed, ["match.id": "another"]).first == .warning)
        time.advance(by: .seconds(61))
        #expect(lines(push).first == .warning && lines(feed, ["match.id": "ipl-final"]).first == .trace)
        time.advance(by: .seconds(60))
        #expect(lines(feed, ["match.id": "ipl-final"]).first == .warning)
        #expect(logs.ring.lines.allSatisfy { !$0.contains("debug") } && !logs.ring.lines.isEmpty)
    }

    @Test func aLevelIsChangedOnTheNamedNodeOrOnAll() async throws {
        let setup = try await NodeSetup()
        let headers = try await PostgresAdminStore(pool: setup.pool).headers(.operator)
        let path = "/admin/api/v1/log-level"
        try await setup.withWholeNode(name: "one") { one in
            try await setup.withWholeNode(name: "two") { two in
                func put(_ members: String) async throws -> WireAnswer {
                    let body = #"{"reason":"an incident","# + members + "}"
                    return try await one.internalClient.send("PUT", path, headers, json: body)
                }
                func level(_ node: WholeNode, _ component: String) -> Logger.Level {
                    node.node.services.logs.levels.lowest(of: component)
                }
                #expect(try await put(#""component":"score.push","level":"debug","node":"two""#).status == 200)
                #expect(try await put(#""component":"score.feed","level":"trace","ttlSeconds":60"#).status == 200)
                try await eventually("each node has what concerns it") {
                    level(two, "score.push") == .debug && level(one, "score.feed") == .trace
                        && level(two, "score.feed") == .trace
                }
                #expect(level(one, "score.push") == .info)
                let listed = try await two.internalClient.get(path, headers)
                #expect(listed.json["items"]?.list.compactMap { $0["level"]?.string } == ["trace", "debug"])
                for wrong in [
                    #""level":"loud""#, #""level":"debug","ttlSeconds":3601"#, #""level":"debug","match":"a b""#,
                ] {
                    #expect(try await put(wrong).status == 422, "\(wrong)")
                }
            }
        }
        await setup.stop()
    }
}
