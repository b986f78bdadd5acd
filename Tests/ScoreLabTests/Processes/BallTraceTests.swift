// An operator follows one ball through the logs of all nodes by one id.

import ScoreTypes
import TestSupport
import Testing

@testable import ScoreLab

@Suite(.timeLimit(.minutes(5))) struct BallTraceTests {
    private typealias Line = [String: String]

    @Test func oneIdLeadsFromTheReplyToTheAttempts() async throws {
        try await ProcessTestbed.run(servers: 2, phones: 12, speed: 100, settings: ["LOG_LEVEL": "debug"]) { stage in
            try await stage.begin()
            try await eventually("three balls have reached APNs", within: .seconds(90)) {
                Self.whole(in: stage.log).count >= 3
            }
            let log = stage.log
            for (trace, lines) in Self.whole(in: log) {
                #expect(Set(lines.map { $0["match.id"] }) == ["demo"], "\(trace)")
                #expect(Set(lines.map { $0["rev"] }).count == 1, "\(trace)")
                let revision = try #require(lines.first?["rev"].flatMap { Int64($0) })
                #expect(trace == "\(RevisionTrace(stage.match, revision: revision))")
                // The node that polls has read and stored the reply; both send it.
                let origin = lines.filter { ["feed.reply.applied", "journal.committed"].contains($0["msg"]) }
                #expect(origin.count == 2 && Set(origin.map { $0["node"] }).count == 1, "\(trace): \(origin)")
                let fanouts = lines.filter { $0["msg"] == "push.fanout" }
                #expect(Set(fanouts.map { $0["node"] }) == ["node-1", "node-2"], "\(trace): \(fanouts)")
                for attempt in lines where attempt["msg"] == "push.attempt.accepted" {
                    #expect(attempt["apns.id"]?.isEmpty == false && attempt["status"] == "200")
                }
            }
            // A line without a trace would end the search.
            let messages = ["feed.reply.applied", "journal.committed", "push.fanout"]
            #expect(log.filter { messages.contains($0["msg"] ?? "") }.allSatisfy { $0["trace"]?.count == 32 })
            let attempts = log.filter { $0["msg"]?.hasPrefix("push.attempt.") == true && $0["rev"] != nil }
            #expect(!attempts.isEmpty && attempts.allSatisfy { $0["trace"]?.count == 32 })
        }
    }

    /// The traces that lead from the reply to an accepted attempt, and to the fan-out of both nodes.
    private static func whole(in log: [Line]) -> [String: [Line]] {
        Dictionary(grouping: log.filter { $0["trace"] != nil }) { $0["trace"] ?? "" }.filter { _, lines in
            let messages = Set(lines.compactMap { $0["msg"] })
            let nodes = Set(lines.filter { $0["msg"] == "push.fanout" }.map { $0["node"] })
            return nodes.count == 2
                && messages.isSuperset(of: ["feed.reply.applied", "journal.committed", "push.attempt.accepted"])
        }
    }
}
