// `score-lab bench fanout`: the dispatcher's figures against a sink on this machine or another.

import ArgumentParser
import Foundation
import Logging
import PushDispatcher
import ScoreTypes

/// Measures the way of a state to a million tokens.
struct BenchFanoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fanout",
        abstract: "Send a state to every token of a match through the whole dispatcher, over TLS, to a sink.",
        discussion: """
            Modes: silent (an ordinary ball), wicket (with an alert, and the times of the first and the last accepted \
            push), channel (a wicket on a broadcast channel), latency (journal commit to first byte, idle and beside a \
            fan-out, on a private PostgreSQL). Without --port the sink is started on the last core and the \
            dispatcher pinned to the first. With --round-trip the states are sent twice: to a sink that answers at \
            once, then to one that answers after the round trip.
            """
    )

    enum Mode: String, ExpressibleByArgument, CaseIterable { case silent, wicket, channel, latency }

    @Option(help: "Tokens of the match.")
    var tokens = 1_000_000

    @Option(help: "silent, wicket, channel or latency.")
    var mode = Mode.silent

    @Option(help: "States sent one after the other.")
    var rounds = 1

    @Option(help: "Event loops of the dispatcher.")
    var lanes = 1

    @Option(help: "Connections in modes silent and wicket, or auto: as many as the dispatcher wants.")
    var connections = ConnectionsText.auto

    @Option(help: "In modes silent and wicket: time from a request to its answer, as 60ms.")
    var roundTrip = RoundTripText(.zero)

    @Option(help: "Balls timed in mode latency, idle and then beside a fan-out.")
    var publications = 300

    @Option(help: "The core of the dispatcher; -1 leaves it free.")
    var core = 0

    @Option(help: "The port of a sink that runs already.")
    var port: Int?

    @Option(help: "Its address.")
    var sinkAddress = "127.0.0.1"

    @Option(help: "The certificate that it is trusted by, PEM.")
    var sinkAuthority: String?

    @Option(help: "Write the body of a push to this file, for a comparison, and end.")
    var writeBody: String?

    @Flag(help: "Print one JSON object and nothing else.")
    var json = false

    func validate() throws {
        guard (1...8_000_000).contains(tokens) else { throw ValidationError("--tokens must be from 1 to 8000000.") }
        guard (1...1000).contains(rounds) else { throw ValidationError("--rounds must be from 1 to 1000.") }
        guard (1...64).contains(lanes) else { throw ValidationError("--lanes must be from 1 to 64.") }
        if roundTrip.duration > .zero, port != nil || ![.silent, .wicket].contains(mode) {
            throw ValidationError("--round-trip needs the own sink, and mode silent or wicket.")
        }
        if port != nil, sinkAuthority == nil { throw ValidationError("--port needs --sink-authority.") }
        if let port, !(1...65_535).contains(port) { throw ValidationError("--port must be from 1 to 65535.") }
    }

    func run() async throws {
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        if let writeBody {
            try Data(BenchPublication.body(clock: ServiceClock())).write(to: URL(filePath: writeBody))
            return
        }
        try await untilSignal { try await measure(undoneBy: $0) }.show(asJSON: json)
    }

    private func measure(undoneBy teardown: Teardown) async throws -> any Report & Sendable {
        let sink = try sink(undoneBy: teardown)
        if roundTrip.duration > .zero {
            let near = try await FanoutBench(options: self).run(to: sink)
            let distant = try ownSink(roundTrip: roundTrip.duration, undoneBy: teardown)
            return RoundTripFigures(
                roundTrip: roundTrip.duration,
                near: near,
                distant: try await FanoutBench(options: self).run(to: distant)
            )
        }
        switch mode {
        case .latency:
            let database = try await BenchDatabase.start(undoneBy: teardown)
            return try await LatencyBench(options: self).run(to: sink, on: database)
        case .channel: return try await ChannelBench(options: self).run(to: sink)
        case .silent, .wicket: return try await FanoutBench(options: self).run(to: sink)
        }
    }

    private func sink(undoneBy teardown: Teardown) throws -> BenchSink {
        if let port, let sinkAuthority {
            return try BenchSink.elsewhere(
                host: sinkAddress,
                port: UInt16(clamping: port),
                authorityFile: sinkAuthority
            )
        }
        return try ownSink(undoneBy: teardown)
    }

    private func ownSink(roundTrip: Duration = .zero, undoneBy teardown: Teardown) throws -> BenchSink {
        let cores = ProcessInfo.processInfo.processorCount
        let last = cores > 1 && core >= 0 ? cores - 1 : nil
        return try BenchSink.start(core: last, roundTrip: roundTrip, undoneBy: teardown)
    }
}
