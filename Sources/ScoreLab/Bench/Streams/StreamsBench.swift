// A phone with an open app has an open stream; this measures what thousands of them cost, and how late the last one is.

import ArgumentParser
import Foundation
import Logging
import MatchEngine
import MatchJournal
import Postgres
import Providers
import ScoreTypes

/// Opens streams of one match in play, measures their memory and delay, closes them, and reopens them after a restart.
struct StreamsBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "streams",
        abstract: "Hold thousands of live streams of one match, and measure memory and the delay to the last reader.",
        discussion: """
            The readers come from addresses of 127.0.0.0/8, with the limits of a production server. One in a hundred \
            reads nothing, another one vanishes without closing its connection. They share the machine with the \
            servers, so they run at the lowest priority, and a ball has arrived when the kernel has its bytes for the \
            reader. Each node and each process of readers may open the descriptors of `ulimit -Hn`; the smallest \
            number of nodes of one database that this allows shares the streams. Then all nodes are killed and \
            started again, and all readers return at once while phones register. Exits 0 only if every prompt reader \
            shows the last ball, no ball reached fewer than nine readers in ten, each node kept its term, and all \
            readers came back.
            """
    )

    @Option(help: "Streams.")
    var clients = 20_000

    @Option(help: "Streams opened each second, at all nodes.")
    var connects = 500

    @Option(help: "Seconds of measurement, with one ball each.")
    var seconds = 60

    @Option(help: "Minutes of measurement, in place of seconds.")
    var minutes: Int?

    @Flag(help: "Print one JSON object and nothing else.")
    var json = false

    /// The time of measurement.
    private var measured: Int { minutes.map { $0 * 60 } ?? seconds }

    func validate() throws {
        guard (100...1_000_000).contains(clients), (1...100_000).contains(connects), (1...40).contains(minutes ?? 1),
            (1...2_400).contains(seconds)
        else {
            throw ValidationError(
                """
                --clients must be from 100 to 1000000, --connects from 1 to 100000, --seconds from 1 to 2400, \
                --minutes from 1 to 40.
                """
            )
        }
    }

    func run() async throws {
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let nodes = Self.nodes(for: clients, descriptors: try ProcessMeter.raiseDescriptorLimit())
        let figures = try await untilSignal { try await measure(nodes: nodes, undoneBy: $0) }
        figures.show(asJSON: json)
        guard figures.faults.isEmpty else { throw ExitCode.failure }
    }

    /// The fewest nodes whose descriptors suffice for the streams.
    static func nodes(for clients: Int, descriptors: Int) -> Int {
        let free = max(descriptors - LabLimits.otherDescriptors, 1)
        let streams = min(max(free / 4 * 3, 1), LabLimits.streamsOfNode)
        return (clients + streams - 1) / streams
    }

    private func measure(nodes: Int, undoneBy teardown: Teardown) async throws -> StreamFigures {
        let bed = try await StreamsBed.start(nodes: nodes, undoneBy: teardown)
        let odd = clients / 100
        let prompt = clients - 2 * odd
        let audience = try StreamAudience(
            prompt: prompt,
            slow: odd,
            vanishing: odd,
            ports: bed.servers.map(\.publicPort),
            path: "/v1/matches/\(StreamsBed.match)/stream"
        )
        teardown.add { audience.stop() }
        let balls = Task { try await bed.play { audience.commit($0, at: $1) } }
        teardown.add { balls.cancel() }
        var figures = StreamFigures()
        (figures.clients, figures.nodes, figures.slowReaders, figures.vanishedReaders) = (clients, nodes, odd, odd)
        let (before, terms) = (bed.serverBytes, try await bed.terms())

        figures.openingSeconds = try await open(audience, prompt)
        try await Task.sleep(for: LabLimits.streamSettling)
        figures.residentBytesAfterOpening = bed.serverBytes
        figures.residentBytesPerClient = (figures.residentBytesAfterOpening - before) / clients

        let ended = audience.status.ended
        audience.measure()
        let first = min(measured, LabLimits.vanishedGone - Int(LabLimits.streamSettling.inSeconds))
        try await Task.sleep(for: .seconds(first))
        figures.vanishedGone = try await bed.closedStreams(because: "vanished")
        try await Task.sleep(for: .seconds(measured - first))
        try await countArrivals(&figures, audience, prompt)
        figures.lost = audience.status.ended - ended
        figures.slowCut = audience.status.slowCut
        figures.residentBytesAtEnd = bed.serverBytes

        audience.leave()
        try await Task.sleep(for: LabLimits.streamSettling)
        figures.residentBytesAfterLeaving = bed.serverBytes - before
        figures.isLeaseLost = try await bed.terms() != terms
        try await measureStorm(&figures, audience, bed, prompt)
        return figures
    }

    /// Takes the times of the balls, and counts what did not arrive.
    private func countArrivals(_ figures: inout StreamFigures, _ audience: StreamAudience, _ prompt: Int) async throws {
        let last = audience.newestCommit
        _ = try await until(LabLimits.benchAnswer) { audience.readers(showing: last) >= prompt }
        figures.missed = max(0, prompt - audience.readers(showing: last))
        // Streams that end of old age return during the measurement, so that a few readers miss a ball.
        let readers = prompt * 9 / 10
        figures.untilLast = audience.untilLast(readers: readers)
        figures.balls = audience.states(through: last, readers: readers)
        figures.seconds = measured
    }

    /// Opens all streams at the wanted rate; returns the seconds that it took.
    private func open(_ audience: StreamAudience, _ prompt: Int) async throws -> Double {
        let start = ContinuousClock.now
        audience.open(perSecond: connects)
        let limit = Duration.seconds(2 * clients / connects) + LabLimits.streamStorm
        guard try await until(limit, { audience.status.open >= prompt }) else {
            let status = audience.status
            throw MeasurementFailure("only \(status.open) of \(prompt) streams opened; \(status.refused) refused")
        }
        return (ContinuousClock.now - start).inSeconds
    }

    /// Kills the nodes, starts them again, and lets all readers return at once while phones register.
    private func measureStorm(
        _ figures: inout StreamFigures,
        _ audience: StreamAudience,
        _ bed: StreamsBed,
        _ prompt: Int
    ) async throws {
        try await bed.restart()
        let terms = try await bed.terms()
        let refused = audience.status.refused
        let registering = Task { await Self.register(at: bed) }
        let storm = ContinuousClock.now
        audience.open(perSecond: LabLimits.stormConnects)
        if try await until(LabLimits.streamStorm, { audience.status.open >= prompt }) {
            figures.stormSeconds = (ContinuousClock.now - storm).inSeconds
        }
        registering.cancel()
        (figures.registrations, figures.refusedRegistrations) = await registering.value
        figures.stormRefused = audience.status.refused - refused
        if try await bed.terms() != terms { figures.isLeaseLost = true }
    }

    /// Registers phones one after another until cancelled; returns how many, and how many were refused.
    private static func register(at bed: StreamsBed) async -> (all: Int, refused: Int) {
        var (all, refused) = (0, 0)
        while !Task.isCancelled {
            let isCreated = await bed.register(all)
            if Task.isCancelled { break }
            all += 1
            if !isCreated { refused += 1 }
            try? await Task.sleep(for: LabLimits.stormRegistration)
        }
        return (all, refused)
    }

    private func until(_ limit: Duration, _ isDone: () -> Bool) async throws -> Bool {
        let deadline = ContinuousClock.now + limit
        while !isDone() {
            guard ContinuousClock.now < deadline else { return false }
            try await Task.sleep(for: LabLimits.demoPoll)
        }
        return true
    }
}
