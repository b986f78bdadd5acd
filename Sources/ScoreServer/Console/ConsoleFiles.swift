// The templates, the style and the script of the console are files of the folder `console`, embedded in the binary.

import CDocuments

/// The embedded files of the console.
enum ConsoleFiles {
    /// The templates, by name.
    static let templates = [
        "layout", "match_card", "feed_table", "overview", "matches", "match", "phones", "revision", "feeds", "alerts",
        "push", "devices", "device", "activities", "activity_table", "streams", "audit", "enter",
        "apns", "pushes", "push_attempt", "dead_letters",
        "sweeps", "nodes", "flags", "configuration", "runbooks", "runbook",
    ]

    /// The text of a file; empty when there is none of that name.
    static func text(_ name: String) -> String {
        var count = 0
        let bytes = console_file(name, &count)
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}
