// One process may have too few descriptors for all readers, so that the benchmark of streams starts several.

import ArgumentParser
import Foundation
import Logging

/// Reads streams of one node for `bench streams`: takes orders from the standard input, and prints each status.
struct StreamReadersProcess: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stream-readers",
        abstract: "Read streams of one node, for `bench streams`.",
        shouldDisplay: false
    )

    @Option(help: "The port on 127.0.0.1.")
    var port: Int

    @Option(help: "The path of the stream.")
    var path: String

    @Option(help: "Readers that read at once.")
    var prompt: Int

    @Option(help: "Readers that read nothing.")
    var slow: Int

    @Option(help: "Readers that vanish.")
    var vanishing: Int

    func run() async throws {
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        _ = try ProcessMeter.raiseDescriptorLimit()
        let crowd = StreamCrowd(prompt: prompt, slow: slow, vanishing: vanishing, port: port, path: path) { status in
            guard var line = try? JSONEncoder().encode(status) else { return }
            line.append(UInt8(ascii: "\n"))
            FileHandle.standardOutput.write(line)
        }
        // The end of the input ends the process, also when the benchmark was killed.
        while let line = readLine() {
            if let order = StreamCrowd.Order(line: line) { crowd.post(order) }
        }
        crowd.post(.stop)
    }
}
