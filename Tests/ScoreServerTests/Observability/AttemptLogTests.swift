// The log of push attempts contains no token and is bounded.

import Logging
import MatchJournal
import Providers
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import PushDispatcher
@testable import ScoreServer

@Suite struct AttemptLogTests {
    private static let token = PushToken(bytes: Array(repeating: 0xab, count: 32))
    private let lines = Lines()

    @Test func aRejectedAttemptIsLoggedWithAllFields() throws {
        let log = AttemptLog(lines.logger(.debug), clock: lines.clock)
        let attempt = try attempt(.rejected(.evict), .unregistered, status: 410)
        log.attempted(attempt)
        let line = try #require(lines.all.first)
        #expect(line.contains(#""msg":"push.attempt.rejected""#) && line.contains(#""level":"debug""#))
        for field in [
            #""operation":"update""#, #""match.id":"m1""#, #""env":"production""#, #""attempt":"1""#,
            #""attempt.final":"true""#, #""status":"410""#, #""reason":"Unregistered""#, #""duration.ms":"80""#,
            #""rev":"7""#, #""trap":"MS020""#, "\"apns.id\":\"\(attempt.requestID)\"",
            "\"token.fp\":\"\(try #require(attempt.fingerprint))\"",
        ] {
            #expect(line.contains(field), "\(field) in \(line)")
        }
        #expect(!line.contains("abab"))
    }

    @Test func aSampleOfAcceptedAttemptsIsLoggedAtDebug() throws {
        let quiet = AttemptLog(lines.logger(.info), clock: lines.clock)
        quiet.attempted(try attempt(.accepted, .none, status: 200))
        #expect(lines.all.isEmpty)
        let curious = AttemptLog(lines.logger(.debug), clock: lines.clock)
        #expect(curious.acceptedAttempts == .sample)
        curious.attempted(try attempt(.accepted, .none, status: 200))
        let trace = RevisionTrace(MatchID(unchecked: "m1"), revision: 7)
        #expect(lines.all.count == 1 && lines.all[0].contains("\"trace\":\"\(trace)\""))
        #expect(AttemptLog(lines.logger(.trace), clock: lines.clock).acceptedAttempts == .all)
    }

    @Test func aFloodOfLinesIsCountedInsteadOfLogged() throws {
        let log = AttemptLog(lines.logger(.info), clock: lines.clock)
        let attempt = try attempt(.rejected(.stopEnvironment), .invalidProviderToken, status: 403)
        for _ in 0..<(ServerLimits.attemptLinesPerMinute + 90) { log.attempted(attempt) }
        #expect(lines.all.count == ServerLimits.attemptLinesPerMinute)
        lines.time.advance(by: .seconds(60))
        log.attempted(attempt)
        #expect(lines.all.last?.contains(#""left.out":"90""#) == true)
        #expect(lines.all.last?.contains(#""level":"error""#) == true)
    }

    private func attempt(_ outcome: PushOutcome, _ reason: APNsReason, status: Int) throws -> PushAttempt {
        var chance = SystemRandomNumberGenerator()
        let match = MatchID(unchecked: "m1")
        return PushAttempt(
            operation: .update,
            isBroadcast: false,
            match: match,
            revision: 7,
            environment: .production,
            number: 1,
            isFinal: true,
            outcome: outcome,
            status: status,
            reason: reason,
            sentAt: .seconds(5),
            duration: .milliseconds(80),
            seed: RequestSeed(match: match, revision: 7, kind: .update, key: []),
            device: DeviceID(using: &chance),
            generation: 1,
            recipient: .token(try #require(Self.token))
        )
    }
}

/// The logged lines and the clock of the logger.
private final class Lines: Sendable {
    private let written = Mutex<[String]>([])
    let time = ManualClock()

    var all: [String] { written.withLock { $0 } }
    var clock: ServiceClock { time.clock() }

    func logger(_ level: Logger.Level) -> Logger {
        let clock = clock
        var logger = Logger(label: "score.push.attempts") { label in
            LineLogHandler(label: label, format: .json, node: "n1", clock: clock) { line in
                self.written.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
            }
        }
        logger.logLevel = level
        return logger
    }
}
