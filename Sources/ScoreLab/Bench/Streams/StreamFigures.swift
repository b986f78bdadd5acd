// The figures of a run, for people and for programs.

import ScoreTypes

/// The result of `bench streams`.
struct StreamFigures: Report, Sendable {
    var clients = 0
    var residentBytesPerClient = 0
    var residentBytesAfterOpening = 0
    var residentBytesAtEnd = 0
    /// Above the memory before the first stream.
    var residentBytesAfterLeaving = 0
    var openingSeconds = 0.0
    var untilLast = DurationSet()
    /// Streams that ended while balls were measured, slow readers included.
    var lost = 0
    /// Until all readers were back after the server had been killed; nil when they were not.
    var stormSeconds: Double?
    var stormRefused = 0
    var isLeaseLost = false

    var json: [UInt8] {
        JSONWriter.document { json in
            json.field("clients", clients)
            json.field("residentBytesPerClient", residentBytesPerClient)
            json.field("residentBytesAfterOpening", residentBytesAfterOpening)
            json.field("residentBytesAtEnd", residentBytesAtEnd)
            json.field("residentBytesAfterLeaving", residentBytesAfterLeaving)
            json.number("openingSeconds", openingSeconds.rounded(to: 2))
            json.field("balls", untilLast.count)
            json.number("lastClientP50Milliseconds", untilLast.percentile(0.5).reportMilliseconds)
            json.number("lastClientP99Milliseconds", untilLast.percentile(0.99).reportMilliseconds)
            json.field("lost", lost)
            if let stormSeconds { json.number("stormSeconds", stormSeconds.rounded(to: 2)) }
            json.field("stormRefused", stormRefused)
            json.field("leaseLost", isLeaseLost)
        }
    }

    var text: String {
        let storm = stormSeconds.map { "\($0.rounded(to: 1)) s" } ?? "not within the limit"
        let memory = [residentBytesAfterOpening, residentBytesAtEnd, residentBytesAfterLeaving].map(Self.mib)
        return """
            \(clients) streams, opened in \(openingSeconds.rounded(to: 1)) s: \(residentBytesPerClient) bytes each
            from the commit to the last reader, \(untilLast.textWithMaximum); \(lost) streams ended
            resident in all: \(memory[0]) after opening, \(memory[1]) at the end
            resident beyond the start: \(memory[2]) after all had left
            all back after a restart: \(storm), \(stormRefused) refused on the way
            the node \(isLeaseLost ? "lost its term" : "kept its term")
            """
    }

    private static func mib(_ bytes: Int) -> String { "\((Double(bytes) / 1_048_576).rounded(to: 1)) MiB" }
}
