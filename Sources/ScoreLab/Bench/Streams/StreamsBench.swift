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
            reads nothing, another one vanishes without closing its connection. Needs as many descriptors in this \
            process and in the server: `ulimit -n`.
            """
    )

    @Option(help: "Streams.")
    var clients = 20_000

    @Option(help: "Streams opened each second.")
    var connects = 450

    @Option(help: "Seconds of measurement, with one ball each.")
    var seconds = 60

    @Flag(help: "Print one JSON object and nothing else.")
    var json = false

    func validate() throws {
        guard (100...1_000_000).contains(clients), (1...100_000).contains(connects), (1...2_400).contains(seconds)
        else {
            throw ValidationError(
                "--clients must be from 100 to 1000000, --connects from 1 to 100000, --seconds from 1 to 2400."
            )
        }
    }

    func run() async throws {
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let allowed = try ProcessMeter.raiseDescriptorLimit()
        guard clients + LabLimits.otherDescriptors <= allowed else {
            throw ValidationError(
                "This process may have \(allowed) descriptors; raise `ulimit -n`, or lower --clients."
            )
        }
        let figures = try await untilSignal { try await measure(undoneBy: $0) }
        figures.show(asJSON: json)
    }

    private func measure(undoneBy teardown: Teardown) async throws -> StreamFigures {
        let bed = try await StreamsBed.start(undoneBy: teardown)
        let odd = clients / 100
        let prompt = clients - 2 * odd
        let crowd = StreamCrowd(
            prompt: prompt,
            slow: odd,
            vanishing: odd,
            port: bed.server.publicPort,
            path: "/v1/matches/\(StreamsBed.match)/stream"
        )
        let balls = Task { try await bed.play { crowd.post(.committed($0, at: $1)) } }
        teardown.add { balls.cancel() }
        var figures = StreamFigures()
        let (before, term) = (bed.serverBytes, try await bed.term())
        figures.clients = clients

        let start = ContinuousClock.now
        crowd.post(.open(perSecond: connects))
        let limit = Duration.seconds(2 * clients / connects) + LabLimits.streamStorm
        guard try await until(limit, { crowd.status.open >= prompt }) else {
            throw MeasurementFailure(
                "only \(crowd.status.open) of \(prompt) streams opened; \(crowd.status.refused) refused"
            )
        }
        figures.openingSeconds = (ContinuousClock.now - start).inSeconds
        try await Task.sleep(for: LabLimits.streamSettling)
        figures.residentBytesAfterOpening = bed.serverBytes
        figures.residentBytesPerClient = (figures.residentBytesAfterOpening - before) / clients

        let lost = crowd.status.lost
        crowd.post(.measure)
        try await Task.sleep(for: .seconds(seconds))
        let status = crowd.status
        // Streams that end of old age return during the measurement, so that a few readers miss a ball.
        figures.untilLast = status.latency.untilLast(readers: prompt * 9 / 10)
        figures.lost = status.lost - lost
        figures.residentBytesAtEnd = bed.serverBytes

        crowd.post(.leave)
        try await Task.sleep(for: LabLimits.streamSettling)
        figures.residentBytesAfterLeaving = bed.serverBytes - before
        figures.isLeaseLost = try await bed.term() != term

        try await bed.restart()
        let second = try await bed.term()
        let refused = crowd.status.refused
        let storm = ContinuousClock.now
        crowd.post(.open(perSecond: LabLimits.stormConnects))
        if try await until(LabLimits.streamStorm, { crowd.status.open >= prompt }) {
            figures.stormSeconds = (ContinuousClock.now - storm).inSeconds
        }
        figures.stormRefused = crowd.status.refused - refused
        if try await bed.term() != second { figures.isLeaseLost = true }
        return figures
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
