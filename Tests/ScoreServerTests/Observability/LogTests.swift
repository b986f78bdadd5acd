// A log line is one JSON object without secrets.

import Logging
import MatchJournal
import Providers
import ScoreTypes
import Synchronization
import Testing

@testable import ScoreServer

@Suite struct LogTests {
    @Test func linesAreObjectsWithMetadata() throws {
        let lines = Mutex<[[UInt8]]>([])
        let clock = ServiceClock(monotonic: { .zero }, wall: { Instant(milliseconds: 1_772_366_400_123) })
        var logger = Logger(label: "push") { label in
            LineLogHandler(
                label: label,
                format: .json,
                node: "n1",
                clock: clock,
                write: { line in lines.withLock { $0.append(line) } }
            )
        }
        logger[metadataKey: "match.id"] = "ipl-final"
        logger.warning("push.rejected", metadata: ["why": "a\n\"b\""])
        let line = try #require(lines.withLock { $0.first })
        #expect(line.last == UInt8(ascii: "\n"))
        #expect(line.filter { $0 == UInt8(ascii: "\n") }.count == 1)
        let json = try JSONValue(parsing: Array(line.dropLast()))
        #expect(json["ts"]?.string == "2026-03-01T12:00:00Z")
        #expect(json["level"]?.string == "warning" && json["msg"]?.string == "push.rejected")
        #expect(json["match.id"]?.string == "ipl-final" && json["why"]?.string == "a\n\"b\"")
    }

    @Test(
        "S40: secrets are removed from lines of the log",
        arguments: [
            "token " + String(repeating: "ab", count: 32), "Authorization: Bearer abc.def", "jwt eyJhbGciOi.x.y",
            "-----BEGIN PRIVATE KEY-----\nMIG\n-----END PRIVATE KEY-----\n", "postgresql://score:secret@db/score",
            "ssd1.6f.c2VjcmV0", "{\"credential\":\"ssa1.x.y\"}",
        ]
    )
    func secretsAreScrubbed(text: String) {
        let scrubbed = Redaction.scrub("before " + text + " after")
        #expect(scrubbed.contains(Redaction.mark))
        for secret in ["abab", "abc.def", "hbGci", "MIG", "secret", "c2VjcmV0", "ssa1.x"] {
            #expect(!scrubbed.contains(secret), "\(scrubbed)")
        }
        #expect(scrubbed.hasPrefix("before ") && scrubbed.hasSuffix("after"))
    }

    @Test func ordinaryTextIsNotRedacted() {
        for text in ["push.accepted", "match ipl-final at Abcd1234.7", "https://example.com/a?b=c", "0123456789abcdef"]
        {
            #expect(Redaction.scrub(text) == text)
        }
    }
}
