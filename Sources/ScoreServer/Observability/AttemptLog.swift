// Operators follow a push by its lines: every attempt when they ask for traces, what went wrong always, a flood never.

import Logging
import PushDispatcher
import ScoreTypes
import Synchronization

/// Writes attempts to the log: `push.attempt.accepted`, `.rejected`, `.failed`; tokens as fingerprints only.
///
/// Works on the lanes' threads, so that what it writes without being asked is bounded by `AttemptQuota`.
final class AttemptLog: AttemptObserver {
    let wantsAccepted: Bool
    private let log: Logger
    private let clock: ServiceClock
    private let quota = Mutex(AttemptQuota())

    init(_ log: Logger, clock: ServiceClock) {
        self.log = log
        self.clock = clock
        wantsAccepted = log.logLevel <= .trace
    }

    func attempted(_ attempt: PushAttempt) {
        let level = Self.level(of: attempt)
        guard level >= log.logLevel else { return }
        // Who asks for single attempts gets all of them.
        var left = 0
        if level > .debug {
            let (now, code) = (clock.monotonic, attempt.reason)
            guard let passed = quota.withLock({ $0.pass(code, at: now) }) else { return }
            left = passed
        }
        log.log(level: level, "push.attempt.\(attempt.outcome.word)", metadata: fields(of: attempt, leftOut: left))
    }

    private func fields(of attempt: PushAttempt, leftOut: Int) -> Logger.Metadata {
        var fields: Logger.Metadata = [
            "operation": "\(attempt.operation.rawValue)", "match.id": "\(attempt.match)",
            "env": "\(attempt.environment.rawValue)", "apns.id": "\(attempt.requestID)",
            "attempt": "\(attempt.number)", "attempt.final": "\(attempt.isFinal)", "status": "\(attempt.status)",
            "reason": "\(attempt.reason.rawValue)", "duration.ms": "\(attempt.duration.milliseconds)",
        ]
        if let revision = attempt.revision { fields["rev"] = "\(revision)" }
        if let print = attempt.fingerprint { fields[attempt.isBroadcast ? "channel.fp" : "token.fp"] = "\(print)" }
        if let trap = attempt.trap { fields["trap"] = "\(trap)" }
        if leftOut > 0 { fields["left.out"] = "\(leftOut)" }
        return fields
    }

    /// A dead token is an everyday thing, a wrong key is somebody's job.
    static func level(of attempt: PushAttempt) -> Logger.Level {
        switch attempt.outcome {
        case .accepted: .trace
        case .rejected(.evict), .rejected(.quarantine): .debug
        case .rejected(.stopEnvironment), .rejected(.stopChannels): .error
        case .rejected(.dropRequest), .rejected(.recreateChannel): .warning
        case .failed: attempt.isFinal ? .warning : .debug
        }
    }
}

/// The first lines of each reason in each minute; the rest is counted.
struct AttemptQuota {
    /// Lines of one reason in a minute: enough to see what is wrong, too few to hold up a lane.
    static let perMinuteMax = 10

    private struct Minute {
        var begin: Duration
        var written = 0
        var leftOut = 0
    }

    private var minutes: [APNsReason: Minute] = [:]

    /// Whether another line may be written: how many were left out since the last one, or nil to leave this out, too.
    mutating func pass(_ reason: APNsReason, at now: Duration) -> Int? {
        var minute = minutes[reason] ?? Minute(begin: now)
        defer { minutes[reason] = minute }
        if now - minute.begin >= .seconds(60) { minute = Minute(begin: now, leftOut: minute.leftOut) }
        guard minute.written < Self.perMinuteMax else {
            minute.leftOut += 1
            return nil
        }
        minute.written += 1
        defer { minute.leftOut = 0 }
        return minute.leftOut
    }
}
