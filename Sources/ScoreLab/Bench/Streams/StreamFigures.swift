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
    /// Of the balls that reached nine readers in ten.
    var untilLast = DurationSet()
    /// Seconds of measurement, with one ball each.
    var seconds = 0
    /// Balls that were bowled meanwhile, and those of them that reached fewer than nine readers in ten.
    var balls = (all: 0, incomplete: 0)
    /// Prompt readers that did not show the last ball within `LabLimits.benchAnswer`.
    var missed = 0
    /// Streams of prompt readers that ended while balls were measured.
    var lost = 0
    /// Readers that read nothing, and those of them that were cut until the end of the measurement.
    var slowReaders = 0
    var slowCut = 0
    /// Readers that vanished, and streams that the server had therefore ended within a minute after all were open.
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

    /// Each condition that the run does not meet; the times are those of what arrived.
    var faults: [String] {
        let checks: [(isRight: Bool, text: String)] = [
            (missed == 0, "\(missed) readers without the last ball"),
            (balls.incomplete == 0, "\(balls.incomplete) balls that reached fewer than nine readers in ten"),
            (2 * balls.all >= seconds, "\(balls.all) balls in \(seconds) s"),
            (stormSeconds != nil, "not all readers came back after the restart"),
            (!isLeaseLost, "a node lost its term"),
        ]
        return checks.filter { !$0.isRight }.map(\.text)
    }

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
            json.field("ballsBowled", balls.all)
            json.field("ballsIncomplete", balls.incomplete)
            json.field("missed", missed)
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
            json.strings("faults", faults)
        }
    }

    var text: String {
        let storm = stormSeconds.map { "\($0.rounded(to: 1)) s" } ?? "not within the limit"
        let memory = [residentBytesAfterOpening, residentBytesAtEnd, residentBytesAfterLeaving].map(Self.mib)
        return """
            \(clients) streams at \(nodes) nodes, opened in \(openingSeconds.rounded(to: 1)) s (\(connectsPerSecond) \
            a second): \(residentBytesPerClient) bytes each
            from the commit to the last reader, \(untilLast.textWithMaximum); \(lost) streams ended
            balls: \(balls.all) bowled, \(balls.incomplete) that reached fewer than nine readers in ten; \
            \(missed) readers without the last one
            slow readers: \(slowCut) of \(slowReaders) cut; vanished ones: \(vanishedGone) of \(vanishedReaders) \
            gone within a minute
            resident in all: \(memory[0]) after opening, \(memory[1]) at the end
            resident beyond the start: \(memory[2]) after all had left
            all back after a restart: \(storm), \(stormRefused) tries refused on the way
            registrations meanwhile: \(registrations), \(refusedRegistrations) refused
            \(isLeaseLost ? "a node lost its term" : "each node kept its term")
            \(faults.isEmpty ? "no fault" : "FAULTS: " + faults.joined(separator: "; "))
            """
    }

    private var connectsPerSecond: Double {
        openingSeconds > 0 ? (Double(clients) / openingSeconds).rounded(to: 1) : 0
    }

    private static func mib(_ bytes: Int) -> String { "\((Double(bytes) / 1_048_576).rounded(to: 1)) MiB" }
}
