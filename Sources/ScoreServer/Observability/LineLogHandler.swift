// A log event is one line: a JSON object, which every log store parses, or text for a developer's terminal.

import Logging
import ScoreTypes

/// Writes log events as lines; every text is redacted.
struct LineLogHandler: LogHandler {
    let label: String
    let format: ServerConfiguration.LogFormat
    let node: String
    let clock: ServiceClock
    let write: @Sendable ([UInt8]) -> Void
    var logs = NodeLogs()
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    /// The level that a logger was given; nil for that of the node.
    private var ownLevel: Logger.Level?

    init(
        label: String,
        format: ServerConfiguration.LogFormat,
        node: String,
        clock: ServiceClock,
        logs: NodeLogs = NodeLogs(),
        write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        (self.label, self.format, self.node, self.clock) = (label, format, node, clock)
        (self.logs, self.write) = (logs, write)
    }

    var logLevel: Logger.Level {
        get { ownLevel ?? logs.levels.lowest(of: label) }
        set { ownLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var fields = metadata
        if let provided = metadataProvider?.get() { fields.merge(provided) { $1 } }
        if let own = event.metadata { fields.merge(own) { $1 } }
        if ownLevel == nil {
            guard logs.levels.permits(event.level, label, match: { fields["match.id"]?.description }) else { return }
        }
        let sorted = fields.sorted { $0.key < $1.key }
        let line = format == .json ? json(event, sorted) : text(event, sorted)
        if event.level >= .warning { logs.ring.put(line) }
        write(line + [UInt8(ascii: "\n")])
    }

    private func json(_ event: LogEvent, _ fields: [(key: String, value: Logger.Metadata.Value)]) -> [UInt8] {
        JSONWriter.document { json in
            json.field("ts", clock.wall.rfc3339)
            json.field("level", event.level.rawValue)
            json.field("msg", Self.shown(event.message.description))
            json.field("component", label)
            json.field("node", node)
            if let error = event.error { json.field("error", Self.shown(String(describing: error))) }
            for (key, value) in fields {
                json.key(dynamic: key)
                json.string(Self.shown(value.description))
            }
        }
    }

    private func text(_ event: LogEvent, _ fields: [(key: String, value: Logger.Metadata.Value)]) -> [UInt8] {
        var line = "\(clock.wall.rfc3339) \(event.level.rawValue) \(label) \(event.message)"
        if let error = event.error { line += " error=\(error)" }
        for (key, value) in fields { line += " \(key)=\(value)" }
        return Array(Redaction.scrub(line).replacing("\n", with: "\\n").utf8)
    }

    private static func shown(_ text: String) -> String {
        let scrubbed = Redaction.scrub(text)
        guard scrubbed.utf8.count > ServerLimits.logValueBytes else { return scrubbed }
        return String(decoding: scrubbed.utf8.prefix(ServerLimits.logValueBytes), as: UTF8.self) + "…"
    }
}
