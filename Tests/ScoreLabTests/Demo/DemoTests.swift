// Whole matches with the real server, PostgreSQL, APNs over TLS, and phones that run the client library.

import Foundation
import TestSupport
import Testing

@testable import ScoreLab

@Suite(.serialized, .timeLimit(.minutes(5))) struct DemoTests {
    /// The keys of the summary that these tests compare.
    private struct Summary: Decodable {
        var isRight: Bool
        var faults: [String]
        var balls: Int
        var ballsServed: Int
        var ballsInJournal: Int
        var ballsWithoutPush: Int
        var phonesStarted: Int
        var phonesEnded: Int
        var phones: Int
        var phonesReachable: Int
        var phonesAtNewest: Int
        var phonesConfirmed: Int
        var phonesUnknown: Int
        var alertsTwice: Int
        var alertsTwiceUnexplained: Int
        var cardsTwice: Int
        var channelActivities: Int
        var widgetReloads: Int
        var serverRestarts: Int
        var networkFaults: Int
        var confirmedInPlay: Times
        var confirmedAtEnd: Times
    }

    private struct Times: Decodable {
        var count: Int
        var above10Seconds: Int
    }

    /// Plays the project's own match.
    private static func play(_ options: [String]) async throws -> Summary {
        let lab = try ChildProcess("score-lab", ["demo", "--exit-when-finished", "--json"] + options)
        try await eventually("the demo ends", within: .seconds(200)) { !lab.isRunning }
        try #require(lab.output.hasPrefix("{"), "\(lab.output)")
        let summary = try JSONDecoder().decode(Summary.self, from: Data(lab.output.utf8))
        #expect(summary.isRight && lab.status == 0, "\(lab.output)")
        #expect(summary.faults.isEmpty == summary.isRight)
        #expect(summary.phonesConfirmed + summary.phonesUnknown == summary.phones)
        return summary
    }

    @Test func eachPhoneConfirmsTheEndOfTheMatch() async throws {
        let summary = try await Self.play(["--followers", "40", "--speed", "1000"])
        #expect(summary.phonesAtNewest == 40 && summary.phonesConfirmed == 40)
        #expect(summary.channelActivities == 20)
        #expect(summary.balls == 247 && summary.ballsServed == 247 && summary.ballsInJournal == 247)
        #expect(summary.ballsWithoutPush == 0 && summary.phonesStarted == 40 && summary.phonesEnded == 40)
        // Four phones have a widget, which is reloaded for the first balls, for moments and for the result.
        #expect((12...160).contains(summary.widgetReloads))
        #expect(summary.alertsTwice == 0 && summary.cardsTwice == 0)
    }

    @Test func openAppsConfirmEachPublicationInTime() async throws {
        let summary = try await Self.play(["--followers", "30", "--speed", "300", "--open-apps", "1"])
        // About 280 publications; activities start after the first ones.
        #expect(summary.confirmedInPlay.count > 30 * 150 && summary.confirmedInPlay.above10Seconds == 0)
        #expect(summary.confirmedAtEnd.count == 30 && summary.confirmedAtEnd.above10Seconds == 0)
    }

    @Test("H1: a server that is killed repeats at most the alert that is not recorded")
    func aServerThatIsKilledRepeatsAtMostTheAlertThatIsNotRecorded() async throws {
        let options = ["--followers", "60", "--speed", "300", "--kill-serve", "3", "--phone-faults", "0.05"]
        let summary = try await Self.play(options)
        #expect(summary.serverRestarts == 3 && summary.cardsTwice == 0)
        #expect(summary.alertsTwiceUnexplained == 0)
        #expect(summary.alertsTwice <= 3 * 60, "one alert for each kill and phone")
        #expect(summary.phonesAtNewest >= summary.phonesReachable && summary.phonesReachable >= 18)
    }

    @Test("A4, H1, H6, P5, P6: two servers whose networks fail, and which are killed, leave no phone behind")
    func aFaultyNetworkLeavesNoPhoneBehind() async throws {
        let options = ["--followers", "40", "--speed", "300", "--nodes", "2", "--kill-serve", "2", "--seed", "3"]
        let summary = try await Self.play(options + ["--network-faults", "0.2"])
        #expect(summary.phonesAtNewest == 40 && summary.phonesConfirmed == 40 && summary.cardsTwice == 0)
        #expect(summary.networkFaults >= 2 * 9 && summary.serverRestarts == 2)
        #expect(summary.alertsTwiceUnexplained == 0)
    }

    @Test func killsAreSpreadEvenlyOverTheBalls() {
        let kills = ServerKills(3)
        #expect(!kills.isDue(after: 59, of: 240) && kills.isDue(after: 60, of: 240))
        #expect(!ServerKills(0).isDue(after: 240, of: 240))
    }

    @Test("H1: every phone is at the newest state after two kills of the server")
    func aKilledServerLeavesNoPhoneBehind() async throws {
        let options = ["--followers", "40", "--speed", "400"]
        let lab = try ChildProcess("score-lab", ["demo", "--exit-when-finished"] + options)
        for lines in [6, 14] {
            try await eventually("the demo has printed \(lines) lines") {
                lab.output.count(where: \.isNewline) >= lines || !lab.isRunning
            }
            let servers = ProcessTable.children(of: lab.id).filter {
                ProcessTable.commandLine(of: $0).contains(" serve ")
            }
            for server in servers { kill(server, SIGKILL) }
        }
        try await eventually("the demo ends", within: .seconds(200)) { !lab.isRunning }
        #expect(lab.output.contains(#/phones at the newest state +40 of 40/#), "\(lab.output)")
        let fault = "Restarts of the server: 2; planned kills: 0."
        #expect(lab.status == 1 && lab.output.contains(fault), "a server that ends is a fault: \(lab.output)")
        #expect(lab.output.contains(#/faults +1\n/#), "\(lab.output)")
    }

    @Test func phonesWithFaultsAreUnknownOrAtTheNewestState() async throws {
        let options = ["--followers", "70", "--speed", "1000", "--phone-faults", "0.03", "--seed", "11"]
        let summary = try await Self.play(options)
        // Two phones have each of the fourteen faults; five of these faults keep no state away at the end.
        #expect(summary.phonesReachable >= 42 + 5 * 2)
        #expect(summary.phonesAtNewest >= summary.phonesReachable)
    }
}
