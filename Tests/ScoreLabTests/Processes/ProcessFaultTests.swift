// A server that crashes, stands still or starves does not multiply work, and phones end at the newest state.

import Foundation
import Postgres
import ScoreTypes
import Simulators
import Synchronization
import TestSupport
import Testing

@testable import ScoreLab

@Suite(.serialized, .timeLimit(.minutes(10))) struct ProcessFaultTests {
    @Test("H5: a server that is killed at each of twenty starts multiplies neither tokens nor sweeps nor pushes")
    func twentyCrashesAtTheStart() async throws {
        try await ProcessTestbed.run(phones: 20, channelShare: 0, speed: 60) { stage in
            try await stage.begin()
            try await stage.everyPhoneIsCurrent()
            let issued: Statement = "select coalesce(max(extract(epoch from issued_at))::bigint, 0) from provider_token"
            let signed = try await stage.number(issued)
            let begin = (pushes: stage.bed.apns.statistics.accepted, revision: try await stage.revision())
            let started = ContinuousClock.now
            for _ in 1...20 {
                stage.server.signal(SIGKILL)
                try await eventually("it has ended") { !stage.server.isRunning }
                try stage.server.start()
                try await eventually("it is ready") { await stage.bed.isReady(stage.server) }
            }
            try await stage.everyPhoneIsCurrent()
            #expect(try await stage.number(issued) == signed, "the provider token of the first start is used")
            // A sweep of a kind and a minute has one row, on any node. Domain minutes last a second here,
            // and the floor of the interval is ten.
            let seconds = (ContinuousClock.now - started).components.seconds
            let sweeps: Statement = "select coalesce(max(n), 0) from (select count(*) n from sweep_run group by kind) k"
            #expect(try await stage.number(sweeps) <= seconds / 10 + 12)
            // Each phone gets each publication, and after each start at most the newest one again.
            let balls = try await stage.number("select count(*) from publication")
            let pushes = stage.bed.apns.statistics.accepted - begin.pushes
            #expect(pushes <= 20 * Int(balls + 20), "\(pushes) pushes for \(balls) publications")
            let report = stage.fleet.report(newest: try await stage.revision())
            #expect(report.wentBack == 0 && report.cardsTwice == 0)
        }
    }

    @Test("H8: timers that are overdue after a suspension cause no burst")
    func aSuspendedServerCausesNoBurst() async throws {
        try await ProcessTestbed.run(phones: 20, channelShare: 0, speed: 60) { stage in
            try await stage.begin()
            try await stage.everyPhoneIsCurrent()
            let before = try await stage.revision()
            // Twelve minutes of the match.
            stage.server.signal(SIGSTOP)
            try await Self.pass(.seconds(12))
            let pushes = stage.bed.apns.statistics.accepted
            let sweeps = try await stage.number("select count(*) from sweep_run")
            stage.server.signal(SIGCONT)
            let first = try await stage.nextRevision(after: before)
            try await stage.everyPhoneIsCurrent()
            let newest = try await stage.revision()
            let sent = stage.bed.apns.statistics.accepted - pushes
            // One reply and one publication were missed; each phone gets each publication once.
            let published =
                try await stage.bed.pool.query(
                    "select count(*) from publication where rev > $1",
                    [.int(before)]
                ) { try $0.int(0) }.first ?? 0
            #expect(first > before && newest >= first)
            #expect(sent <= 20 * Int(published + 1), "\(sent) pushes for \(published) publications")
            // Twelve missed minutes are no twelve sweeps of each kind.
            let kinds = try await stage.number("select count(distinct kind) from sweep_run")
            #expect(try await stage.number("select count(*) from sweep_run") - sweeps <= 2 * kinds)
            #expect(stage.fleet.report(newest: newest).wentBack == 0)
        }
    }

    @Test("H12: on a core that other work occupies, urgent pushes arrive within five seconds, and the node stays ready")
    func aStarvedServerStaysReady() async throws {
        let core = 0
        try await ProcessTestbed.run(phones: 20, speed: 100, core: core) { stage in
            try await stage.begin()
            try await stage.everyPhoneIsCurrent()
            let hogs = try (1...3).map { _ in
                try ChildProcess("/usr/bin/taskset", ["-c", "\(core)", "/bin/sh", "-c", "while :; do :; done"])
            }
            defer { for hog in hogs { hog.signal(SIGKILL) } }
            let alerts = stage.bed.apns.statistics.acceptedWithAlert
            var failures = 0
            try await Self.pass(.seconds(25)) { failures += await stage.bed.isReady(stage.server) ? 0 : 1 }
            #expect(failures == 0, "readiness failed \(failures) times")
            #expect(stage.bed.apns.statistics.acceptedWithAlert > alerts, "no alert was sent in the time")
            // The histogram of the node counts from the commit to APNs' answer.
            let metrics = try await Self.metrics(of: stage)
            let slow = Self.slowAlerts(in: metrics)
            #expect(slow.count > 0 && slow.beyondFiveSeconds == 0, "\(slow)")
            try await stage.everyPhoneIsCurrent()
        }
    }

    @Test("H13: a server whose threads all stand still reports nothing to systemd")
    func aStoppedServerReportsNothing() async throws {
        let socket = try NotifySocket()
        defer { socket.end() }
        // A report each half second.
        let settings = ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "1000000"]
        try await ProcessTestbed.run(speed: 1, settings: settings) { stage in
            try await eventually("it reports") { socket.messages().contains("WATCHDOG=1") }
            stage.server.signal(SIGSTOP)
            try await Self.pass(.seconds(1))
            _ = socket.messages()
            try await Self.pass(.seconds(3))
            #expect(socket.messages().isEmpty)
            stage.server.signal(SIGCONT)
            try await eventually("it reports again") { socket.messages().contains("WATCHDOG=1") }
        }
    }

    @Test("S43: a running server dumps no memory")
    func aRunningServerDumpsNoMemory() async throws {
        try await ProcessTestbed.run(speed: 1) { stage in
            let process = try #require(stage.server.processID)
            let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
            let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
            #expect(core.split(separator: " ").suffix(3) == ["0", "0", "bytes"], "\(core)")
        }
    }
}

extension ProcessFaultTests {
    /// The time that a fault lasts; meanwhile something is looked at again and again.
    private static func pass(_ time: Duration, _ look: () async throws -> Void = {}) async throws {
        let end = ContinuousClock.now + time
        try await eventually("the fault has lasted \(time)") {
            try await look()
            return ContinuousClock.now >= end
        }
    }

    private static func metrics(of stage: ProcessTestbed) async throws -> String {
        let url = "http://\(Testbed.host):\(stage.server.internalPort)/metrics"
        let command = PinnedCommand(URL(filePath: "/usr/bin/curl"), ["-sS", "-f", "-m", "20", url], core: nil)
        return try ChildOutput.read(command, within: .seconds(30))
    }

    /// The end-to-end times of updates: all, and those beyond five seconds.
    private static func slowAlerts(in metrics: String) -> (count: Int, beyondFiveSeconds: Int) {
        var (count, within) = (0, 0)
        for line in metrics.split(separator: "\n") where line.hasPrefix("score_push_end_to_end_seconds") {
            guard line.contains("class=\"update\""), let value = line.split(separator: " ").last.flatMap({ Int($0) })
            else { continue }
            if line.hasPrefix("score_push_end_to_end_seconds_count") { count += value }
            if line.contains("le=\"5\"") { within += value }
        }
        return (count, count - within)
    }
}
