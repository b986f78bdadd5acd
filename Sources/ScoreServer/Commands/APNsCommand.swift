// `score-server apns probe`: an operator checks a new key before the first ball, without a running server.

import ArgumentParser
import FollowService
import Foundation
import LiveActivities
import PushDispatcher
import ScoreTypes

/// Groups the commands about APNs.
struct APNsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apns",
        abstract: "Check the access to APNs.",
        subcommands: [ProbeAPNsCommand.self]
    )
}

/// Sends one push to a token that no phone has.
struct ProbeAPNsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Check whether APNs accepts the key and the topic; exit 1 when it does not.",
        discussion: "The push goes to a token that no phone has: 400 BadDeviceToken proves key, team and topic."
    )

    @OptionGroup
    var file: SettingsFile

    func run() async throws {
        let settings = try file.load()
        guard let key = settings.push.key else { throw ValidationError("APNS_KEY_FILE is not set.") }
        let configuration = try DispatcherConfiguration(settings.push, key: key)
        let environments = configuration.environments.keys.sorted { $0.code < $1.code }
        let areGood = try await ConfiguredDatabase.usePool(settings, name: "apns-probe") { pool -> Bool in
            var areGood = true
            for environment in environments {
                let store = ProviderTokenRecords(pool: pool)
                let clock = ServiceClock()
                let finding = await KeyProbe.run(configuration, environment, providerTokens: store, clock: clock)
                let report = ProbeReport(at: clock.wall, finding: finding)
                var entry = AuditEntry.command(
                    AdminRoute.probeAPNs.action,
                    target: environment.rawValue,
                    reason: "probed on the command line",
                    user: CommandUser.name
                )
                entry.after = report.json
                _ = try await PostgresAdminStore(pool: pool).record(entry)
                print("\(environment.rawValue): \(finding.sentence)")
                areGood = areGood && report.isGood
            }
            return areGood
        }
        if !areGood { throw ExitCode.failure }
    }
}
