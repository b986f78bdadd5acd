// Log lines for push attempts: failures always, with a limit for each reason, accepted ones at level debug.

import Logging
import PushDispatcher
import ScoreTypes
import Synchronization

/// Writes attempts to the log: `push.attempt.accepted`, `.rejected`, `.failed`; tokens as fingerprints only.
///
/// It runs on the dispatcher's threads, so that `AttemptQuota` bounds the lines above level debug.
final class AttemptLog: AttemptObserver {
    let acceptedAttempts: AcceptedAttempts
    private let log: Logger
    private let clock: ServiceClock
    private let quota = Mutex(AttemptQuota())

    init(_ log: Logger, clock: ServiceClock) {
        self.log = log
        self.clock = clock
        // The level of a running node may fall to debug, and then a sample is written.
        acceptedAttempts = log.logLevel <= .trace ? .all : .sample
    }

    func attempted(_ attempt: PushAttempt) {
        let level = Self.level(of: attempt)
        guard level >= log.logLevel else { return }
        // At level debug and below there is no limit.
        var left = 0
        if level > .debug {
            let (now, code) = (clock.monotonic, attempt.reason)
            guard let passed = quota.withLock({ $0.pass(code, at: now) }) else { return }
            left = passed
        }
        log.log(level: level, "push.attempt.\(attempt.outcome.label)", metadata: fields(of: attempt, leftOut: left))
    }

    func managed(_ attempt: ChannelAttempt) {
        var fields: Logger.Metadata = [
            "operation": "\(attempt.operation.rawValue)", "env": "\(attempt.environment.rawValue)",
            "status": "\(attempt.status)", "reason": "\(attempt.reason.rawValue)",
            "duration.ms": "\(attempt.duration.milliseconds)",
        ]
        if let match = attempt.match { fields["match.id"] = "\(match)" }
        if let print = attempt.fingerprint { fields["channel.fp"] = "\(print)" }
        if let trap = attempt.trap { fields["trap"] = "\(trap)" }
        let level = Self.level(of: attempt.outcome, isFinal: true)
        log.log(level: level, "channel.attempt.\(attempt.outcome.label)", metadata: fields)
    }

    private func fields(of attempt: PushAttempt, leftOut: Int) -> Logger.Metadata {
        var fields: Logger.Metadata = [
            "operation": "\(attempt.operation.rawValue)", "match.id": "\(attempt.match)",
            "env": "\(attempt.environment.rawValue)", "apns.id": "\(attempt.requestID)",
            "attempt": "\(attempt.number)", "attempt.final": "\(attempt.isFinal)", "status": "\(attempt.status)",
            "reason": "\(attempt.reason.rawValue)", "duration.ms": "\(attempt.duration.milliseconds)",
        ]
        if let revision = attempt.revision { fields["rev"] = "\(revision)" }
        if let trace = attempt.trace { fields["trace"] = "\(trace)" }
        if let print = attempt.fingerprint { fields[attempt.isBroadcast ? "channel.fp" : "token.fp"] = "\(print)" }
        if let trap = attempt.trap { fields["trap"] = "\(trap)" }
        if leftOut > 0 { fields["left.out"] = "\(leftOut)" }
        return fields
    }

    /// A dead token is normal operation; a wrong key needs an operator.
    static func level(of attempt: PushAttempt) -> Logger.Level {
        level(of: attempt.outcome, isFinal: attempt.isFinal)
    }

    private static func level(of outcome: PushOutcome, isFinal: Bool) -> Logger.Level {
        switch outcome {
        case .accepted: .debug
        case .rejected(.evict), .rejected(.quarantine): .debug
        case .rejected(.stopEnvironment), .rejected(.stopChannels): .error
        case .rejected(.dropRequest), .rejected(.recreateChannel): .warning
        case .failed: isFinal ? .warning : .debug
        }
    }
}

/// Passes the first lines of each reason in each minute, and counts the rest.
struct AttemptQuota {
    private struct Minute {
        var begin: Duration
        var written = 0
        var leftOut = 0
    }

    private var minutes: [APNsReason: Minute] = [:]

    /// The number of lines left out since the last one when another may be written; nil when it may not.
    mutating func pass(_ reason: APNsReason, at now: Duration) -> Int? {
        var minute = minutes[reason] ?? Minute(begin: now)
        defer { minutes[reason] = minute }
        if now - minute.begin >= .seconds(60) { minute = Minute(begin: now, leftOut: minute.leftOut) }
        guard minute.written < ServerLimits.attemptLinesPerMinute else {
            minute.leftOut += 1
            return nil
        }
        minute.written += 1
        defer { minute.leftOut = 0 }
        return minute.leftOut
    }
}
