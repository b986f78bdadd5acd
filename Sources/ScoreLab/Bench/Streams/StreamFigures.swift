// The figures of a run, for people and for programs.

import ScoreTypes

/// The result of `bench streams`.
struct StreamFigures: Report, Sendable {
    var clients = 0
    /// Servers of one database that share the streams.
    var nodes = 1
    var residentBytesPerClient = 0
    var residentBytesAfterOpening = 0
    var residentBytesAtEnd = 0
    /// Above the memory before the first stream.
    var residentBytesAfterLeaving = 0
    var openingSeconds = 0.0
    var untilLast = DurationSet()
    /// Streams of prompt readers that ended while balls were measured.
    var lost = 0
    /// Readers that read nothing, and those of them that were cut until the end of the measurement.
    var slowReaders = 0
    var slowCut = 0
    /// Readers that vanished, and streams that had ended for it within a minute after all were open.
    var vanishedReaders = 0
    var vanishedGone = 0
    /// Until all readers were back after the server had been killed; nil when they were not.
    var stormSeconds: Double?
    /// Refusals of streams meanwhile; their readers tried again.
    var stormRefused = 0
    /// Phones that registered meanwhile, and those of them that were refused.
    var registrations = 0
    var refusedRegistrations = 0
    var isLeaseLost = false

    var json: [UInt8] {
        JSONWriter.document { json in
            json.field("clients", clients)
            json.field("nodes", nodes)
            json.field("clientsPerNode", clients / nodes)
            json.field("residentBytesPerClient", residentBytesPerClient)
            json.field("residentBytesAfterOpening", residentBytesAfterOpening)
            json.field("residentBytesAtEnd", residentBytesAtEnd)
            json.field("residentBytesAfterLeaving", residentBytesAfterLeaving)
            json.number("openingSeconds", openingSeconds.rounded(to: 2))
            json.number("connectsPerSecond", connectsPerSecond)
            json.field("balls", untilLast.count)
            json.number("lastClientP50Milliseconds", untilLast.percentile(0.5).reportMilliseconds)
            json.number("lastClientP99Milliseconds", untilLast.percentile(0.99).reportMilliseconds)
            json.field("lost", lost)
            json.field("slowReaders", slowReaders)
            json.field("slowCut", slowCut)
            json.field("vanishedReaders", vanishedReaders)
            json.field("vanishedGone", vanishedGone)
            if let stormSeconds { json.number("stormSeconds", stormSeconds.rounded(to: 2)) }
            json.field("stormRefused", stormRefused)
            json.field("registrations", registrations)
            json.field("refusedRegistrations", refusedRegistrations)
            json.field("leaseLost", isLeaseLost)
        }
    }

    var text: String {
        let storm = stormSeconds.map { "\($0.rounded(to: 1)) s" } ?? "not within the limit"
        let memory = [residentBytesAfterOpening, residentBytesAtEnd, residentBytesAfterLeaving].map(Self.mib)
        return """
            \(clients) streams at \(nodes) nodes, opened in \(openingSeconds.rounded(to: 1)) s (\(connectsPerSecond) \
            a second): \(residentBytesPerClient) bytes each
            from the commit to the last reader, \(untilLast.textWithMaximum); \(lost) streams ended
            slow readers: \(slowCut) of \(slowReaders) cut; vanished ones: \(vanishedGone) of \(vanishedReaders) \
            gone within a minute
            resident in all: \(memory[0]) after opening, \(memory[1]) at the end
            resident beyond the start: \(memory[2]) after all had left
            all back after a restart: \(storm), \(stormRefused) tries refused on the way
            registrations meanwhile: \(registrations), \(refusedRegistrations) refused
            \(isLeaseLost ? "a node lost its term" : "each node kept its term")
            """
    }

    private var connectsPerSecond: Double {
        openingSeconds > 0 ? (Double(clients) / openingSeconds).rounded(to: 1) : 0
    }

    private static func mib(_ bytes: Int) -> String { "\((Double(bytes) / 1_048_576).rounded(to: 1)) MiB" }
}
