// `score-lab simulate-apns`: Apple's push service on this machine, strict or hostile, for any sender.

import ArgumentParser
import Foundation
import HTTP2
import Logging
import ScoreTypes
import Simulators

/// Serves APNs' pushes and channels, and a control server for queries.
struct SimulateAPNsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate-apns",
        abstract: "Simulate Apple's push service: TLS, HTTP/2, tokens, channels, phones, faults.",
        discussion: """
            It writes its certificate to trust (authority.pem) and, without --public-key, a signing key (key.p8) into \
            --folder, and prints where it listens. docs/simulate-apns.md describes it.
            """
    )

    @Option(help: "The address to listen at.")
    var host = "127.0.0.1"

    @Option(help: "The port of pushes and broadcasts; 0 for a free one.")
    var port = 8443

    @Option(help: "The port of channel management; 0 for a free one.")
    var managementPort = 8444

    @Option(help: "The port of the control API, plain HTTP; 0 for a free one.")
    var controlPort = 8445

    @Option(help: "Where certificate and key are written.")
    var folder = "apns-simulator"

    @Option(help: "The app's bundle id.")
    var bundleId = "com.example.app"

    @Option(help: "The team's ten characters.")
    var teamId = "TEAMTEAM01"

    @Option(help: "The signing key's ten characters.")
    var keyId = "KEYKEYKEY1"

    @Option(help: "The public half of your signing key, PEM; without it a pair is made.")
    var publicKey: String?

    @Option(help: "A further key that is valid, as ID=FILE with the public half in PEM; may be repeated.")
    var otherKey: [String] = []

    @Option(help: "A script of faults, JSON.")
    var script: String?

    @Option(help: "Draw faults from this seed instead.")
    var seed: UInt64?

    @Option(help: "Bad tokens in a row after which a connection is limited to one stream; 0 for never.")
    var patience = 100

    @Option(help: "Pushes to one token or channel in a minute, beyond which the answer is 429; 0 for any number.")
    var pushesPerMinute = APNsSimulatorConfiguration.usualPushesPerMinute

    @Flag(help: "Reject tokens that no phone has registered, instead of creating a phone for each.")
    var knownTokensOnly = false

    @Flag(help: "Answer 200 to all, at full speed, for load tests; the file answered in --folder counts them.")
    var sink = false

    @Option(help: "With --sink: time from a request to its answer, as 60ms.")
    var roundTrip = RoundTripText(.zero)

    func validate() throws {
        for (name, value) in [("port", port), ("management-port", managementPort), ("control-port", controlPort)] {
            guard (0...65_535).contains(value) else { throw ValidationError("--\(name) must be from 0 to 65535.") }
        }
        guard patience >= 0 else { throw ValidationError("--patience must be 0 or more.") }
        guard pushesPerMinute >= 0 else { throw ValidationError("--pushes-per-minute must be 0 or more.") }
        guard sink || roundTrip.duration == .zero else { throw ValidationError("--round-trip needs --sink.") }
        guard script == nil || seed == nil else { throw ValidationError("Give --script or --seed, not both.") }
    }

    func run() async throws {
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let keys = try SimulatorKeys(folder: folder, host: host, publicKey: publicKey)
        guard !sink else { return try await runSink(keys) }
        var configuration = APNsSimulatorConfiguration(
            bundleID: bundleId,
            teamID: teamId,
            keyID: keyId,
            publicKeyPEM: keys.publicKeyPEM,
            identity: keys.identity
        )
        configuration.otherKeys = try otherKeys()
        (configuration.host, configuration.pushPort, configuration.managementPort) = (host, port, managementPort)
        configuration.takesUnknownTokens = !knownTokensOnly
        configuration.rejectionsBeforePenalty = patience > 0 ? patience : nil
        configuration.pushesPerMinute = pushesPerMinute > 0 ? pushesPerMinute : nil
        let simulator = try await APNsSimulator.start(configuration)
        if let script = try wantedScript() { await simulator.follow(script) }
        let (host, files) = (host, keys.summary)
        try await APNsControlServer.serve(simulator, host: host, port: controlPort) { controlPort in
            // Written at once: a script waits for these lines.
            Self.say(
                """
                apns: https://\(host):\(simulator.pushPort), channels at https://\(host):\(simulator.managementPort)
                control: http://\(host):\(controlPort) (statistics, journal, phones, script)
                \(files)

                """
            )
        }
        await simulator.stop()
    }

    private func runSink(_ keys: SimulatorKeys) async throws {
        let sink = try await APNsSink.start(
            identity: keys.identity,
            host: host,
            port: port,
            roundTrip: roundTrip.duration
        )
        Self.say("sink: https://\(host):\(sink.port)\n\(keys.summary)\n")
        // The count is there to hold against the sender's own.
        let count = URL(filePath: folder).appending(path: "answered")
        var known = -1
        while !Task.isCancelled {
            if sink.answered != known {
                known = sink.answered
                try Data("\(known)\n".utf8).write(to: count, options: .atomic)
            }
            try? await Task.sleep(for: .milliseconds(100))
        }
        await sink.stop()
    }

    private func otherKeys() throws -> [String: [UInt8]] {
        let pairs = try otherKey.map { text in
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let data = FileManager.default.contents(atPath: parts[1]) else {
                throw ValidationError("--other-key: expected ID=FILE with the path of a PEM file.")
            }
            return (parts[0], Array(data))
        }
        return Dictionary(pairs) { $1 }
    }

    private func wantedScript() throws -> APNsScript? {
        if let seed { return .drawn(from: seed) }
        guard let script else { return nil }
        guard let data = FileManager.default.contents(atPath: script) else {
            throw ValidationError("Cannot read \(script); give the path of a script.")
        }
        return try APNsScript(json: Array(data))
    }

    private static func say(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}

/// The certificate and the key that client and server share, in a folder.
struct SimulatorKeys: Sendable {
    let identity: TLSIdentity
    let publicKeyPEM: [UInt8]
    /// Lines that say what was written where.
    let summary: String

    /// Uses the key that is given, or the one in the folder, or makes one; the certificate is always new.
    init(folder: String, host: String, publicKey: String?) throws {
        let url = URL(filePath: folder)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let authority = url.appending(path: "authority.pem").path
        identity = try TLSIdentity.selfSigned(
            commonName: "Simulated APNs",
            addresses: Array(Set([host, "127.0.0.1", "localhost"])).sorted()
        )
        try Self.write(identity.certificatePEM, to: authority, mode: 0o644)
        if let publicKey {
            guard let data = FileManager.default.contents(atPath: publicKey) else {
                throw ValidationError("Cannot read \(publicKey); give the path of a PEM file.")
            }
            publicKeyPEM = Array(data)
            summary = "trust: \(authority)"
            return
        }
        let (secret, open) = (url.appending(path: "key.p8").path, url.appending(path: "key.public.pem").path)
        if let kept = FileManager.default.contents(atPath: open), FileManager.default.fileExists(atPath: secret) {
            publicKeyPEM = Array(kept)
        } else {
            let pair = try SigningKeyPair()
            try Self.write(pair.privatePEM, to: secret, mode: 0o600)
            try Self.write(pair.publicPEM, to: open, mode: 0o644)
            publicKeyPEM = pair.publicPEM
        }
        summary = "trust: \(authority)\nkey: \(secret)"
    }

    private static func write(_ bytes: [UInt8], to path: String, mode: Int) throws {
        let isWritten = FileManager.default.createFile(
            atPath: path,
            contents: Data(bytes),
            attributes: [.posixPermissions: mode]
        )
        guard isWritten else { throw ValidationError("Cannot write \(path); name another --folder.") }
    }
}
