// Text lines for a developer's terminal.

import Logging
import ScoreTypes

/// Writes log events as `time level component message key=value`.
struct TextLogHandler: LogHandler {
    let label: String
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
        var line = "\(clock.wall.rfc3339) \(event.level.rawValue) \(label) \(event.message)"
        if let error = event.error { line += " error=\(error)" }
        for (key, value) in fields.sorted(by: { $0.key < $1.key }) { line += " \(key)=\(value)" }
        write(Array((Redaction.scrub(line).replacing("\n", with: "\\n") + "\n").utf8))
    }
}
