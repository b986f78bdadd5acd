// Operators lower the level of one component or one match for a while, without a restart and without all other lines.

import Logging
import ScoreTypes
import Synchronization

/// A change of the log level, which holds until its end.
struct LogLevelChange: Sendable, Hashable {
    /// The beginning of the components that it concerns; empty for all.
    let component: String
    /// Only lines about this match; nil for all.
    let match: MatchID?
    /// Only on this node; nil for all.
    let node: NodeID?
    let level: Logger.Level
    let expiresAt: Instant
    let changedBy: String
    let reason: String

    /// The change for operators.
    var json: JSONValue {
        .record([
            "component": component.isEmpty ? nil : .text(component), "match": match.map { .text($0.text) },
            "node": node.map { .text($0.text) }, "level": .text(level.rawValue),
            "expiresAt": .text(expiresAt.rfc3339), "changedBy": .text(changedBy), "reason": .text(reason),
        ])
    }
}

/// The log levels of this node.
final class LogLevels: Sendable {
    /// The level of the settings.
    let base: Logger.Level
    private let clock: ServiceClock
    private let changes = Mutex<[LogLevelChange]>([])
    /// Whether there is any change, so that most log calls take no lock.
    private let hasChanges = Atomic<Bool>(false)

    init(base: Logger.Level = .info, clock: ServiceClock = ServiceClock()) { (self.base, self.clock) = (base, clock) }

    /// Replaces all changes by those that concern this node.
    func replace(_ changes: [LogLevelChange]) {
        self.changes.withLock { $0 = changes }
        hasChanges.store(!changes.isEmpty, ordering: .relaxed)
    }

    /// The lowest level at which a component may have a line.
    func lowest(of component: String) -> Logger.Level {
        guard hasChanges.load(ordering: .relaxed) else { return base }
        let concerned = current(component)
        let matches = concerned.filter { $0.match != nil }.map(\.level)
        return ([Self.level(of: nil, in: concerned) ?? base] + matches).min() ?? base
    }

    /// Whether a line of a component is written.
    ///
    /// - `match`: Reads the match that the line is about; called only if a change concerns a match.
    func permits(_ level: Logger.Level, _ component: String, match: () -> String?) -> Bool {
        guard hasChanges.load(ordering: .relaxed) else { return level >= base }
        let concerned = current(component)
        if concerned.contains(where: { $0.match != nil }), let match = match() {
            if let own = Self.level(of: match, in: concerned) { return level >= own }
        }
        return level >= Self.level(of: nil, in: concerned) ?? base
    }

    private func current(_ component: String) -> [LogLevelChange] {
        let now = clock.wall
        return changes.withLock { changes in
            changes.filter { $0.expiresAt > now && component.hasPrefix($0.component) }
        }
    }

    /// The level of the change for the longest beginning.
    private static func level(of match: String?, in changes: [LogLevelChange]) -> Logger.Level? {
        changes.filter { $0.match?.text == match }.max { $0.component.utf8.count < $1.component.utf8.count }?.level
    }
}

/// The levels of log events, and the newest warnings.
struct NodeLogs: Sendable {
    let levels: LogLevels
    let ring = LogRing()

    init(levels: LogLevels = LogLevels()) { self.levels = levels }
}
