// `score-lab demo`: the whole product on one machine; its exit status says whether every part worked.

import ArgumentParser
import Foundation
import Logging

/// Plays a match end to end.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Play a whole match: feed, server, PostgreSQL, APNs and phones on this machine.",
        discussion: """
            Starts real servers as child processes and starts them again if they die. The phones run the client \
            library of apps. Exits 0 only if the whole match with its result was read and published, each ball was \
            pushed, wickets alerted, every reachable phone ends at the newest state, none ever showed an older state \
            after a newer one, and none alerted twice for one moment or showed two cards of one match. The summary \
            names each fault, and has the times from publications to their confirmation by phones. SIGTERM and \
            Ctrl-C end all processes and remove the data folder.
            """
    )

    @Option(help: "A Cricsheet JSON file; without it the project's own match is played.")
    var match: String?

    @Option(help: "How many times real time; a ball takes about 35 s of it.")
    var speed = 200

    @Option(help: "How many phones follow the match.")
    var followers = 200

    @Option(
        name: .customLong("ios18-share"),
        help: "Part of the phones, 0 to 1, that is updated through the broadcast channel."
    )
    var channelShare = 0.5

    @Option(help: "Part of the phones, 0 to 1, that has each fault: no network, a killed app, late tokens and others.")
    var phoneFaults = 0.0

    @Option(help: "Part of the phones, 0 to 1, whose persons keep the app open; others leave it after the follow.")
    var openApps = 0.0

    @Option(help: "How many servers run; phones use the first one.")
    var nodes = 1

    @Option(help: "How often a server is killed (SIGKILL) during play, evenly spread and in turn; it starts again.")
    var killServe = 0

    @Option(
        help: """
            Part of play, 0 to 0.9, in which each link of a server has a fault: to the feed, to APNs, to the database, \
            and from its clients.
            """
    )
    var networkFaults = 0.0

    @Option(help: "Draws tokens, ids, faults and their times; the same seed draws the same ones.")
    var seed: UInt64 = 2026

    @Flag(help: "End when the match is over instead of leaving everything running.")
    var exitWhenFinished = false

    @Flag(help: "Keep the data folder.")
    var keep = false

    @Flag(help: "Print one JSON object at the end and nothing else.")
    var json = false

    func validate() throws {
        guard (1...100_000).contains(speed) else { throw ValidationError("--speed must be from 1 to 100000.") }
        guard (0...1_000_000).contains(followers) else {
            throw ValidationError("--followers must be from 0 to 1000000.")
        }
        guard (0...1).contains(channelShare) else { throw ValidationError("--ios18-share must be from 0 to 1.") }
        guard (0...1).contains(phoneFaults) else { throw ValidationError("--phone-faults must be from 0 to 1.") }
        guard (0...1).contains(openApps) else { throw ValidationError("--open-apps must be from 0 to 1.") }
        guard (0...0.9).contains(networkFaults) else {
            throw ValidationError("--network-faults must be from 0 to 0.9.")
        }
        guard (1...LabLimits.demoNodes).contains(nodes) else {
            throw ValidationError("--nodes must be from 1 to \(LabLimits.demoNodes).")
        }
        guard (0...LabLimits.kills).contains(killServe) else {
            throw ValidationError("--kill-serve must be from 0 to \(LabLimits.kills).")
        }
    }

    func run() async throws {
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let isQuiet = json
        let demo = DemoRun(
            options: self,
            say: { line in
                // Written at once: lines have to appear as they happen, also through a pipe.
                if !isQuiet { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
            }
        )
        let summary: DemoSummary
        do { summary = try await untilSignal { try await demo.run(undoneBy: $0) } } catch let code as ExitCode {
            throw code
        } catch {
            FileHandle.standardError.write(Data("score-lab demo: \(error)\n".utf8))
            throw ExitCode.failure
        }
        if !json { print() }
        summary.show(asJSON: json)
        guard summary.isRight else { throw ExitCode.failure }
    }
}
