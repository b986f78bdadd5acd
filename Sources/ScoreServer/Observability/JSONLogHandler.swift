// One JSON object a line, which every log store parses; every text is redacted.

import Logging
import ScoreTypes
import Synchronization

/// Writes log events as JSON lines.
struct JSONLogHandler: LogHandler {
    let label: String
    let node: String
    let clock: ServiceClock
    let write: @Sendable ([UInt8]) -> Void
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel: Logger.Level = .info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var fields = metadata
        if let provided = metadataProvider?.get() { fields.merge(provided) { $1 } }
        if let own = event.metadata { fields.merge(own) { $1 } }
        var line = JSONWriter.document { json in
            json.field("ts", clock.wall.rfc3339)
            json.field("level", event.level.rawValue)
            json.field("msg", Self.shown(event.message.description))
            json.field("component", label)
            json.field("node", node)
            if let error = event.error { json.field("error", Self.shown(String(describing: error))) }
            for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
                json.key(dynamic: key)
                json.string(Self.shown(value.description))
            }
        }
        line.append(UInt8(ascii: "\n"))
        write(line)
    }

    private static func shown(_ text: String) -> String {
        let scrubbed = Redaction.scrub(text)
        guard scrubbed.utf8.count > ServerLimits.logValueBytes else { return scrubbed }
        return String(decoding: scrubbed.utf8.prefix(ServerLimits.logValueBytes), as: UTF8.self) + "…"
    }
}
