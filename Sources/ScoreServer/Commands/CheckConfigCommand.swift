// `score-server check-config`: reports every error of the settings at once, before a server is started.

import ArgumentParser
import Foundation

/// Checks the settings.
struct CheckConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Check the settings without starting anything; exit 1 when a server could not start."
    )

    @OptionGroup
    var file: SettingsFile

    func run() throws {
        for name in EnvironmentNames.unknown() { warn(EnvironmentNames.complaint(about: name, in: "environment")) }
        do {
            let settings = try file.load()
            try settings.checkFiles()
            DescriptorBudget.raiseLimit()
            if let advice = settings.descriptorBudget.advice { warn(advice) }
            print("The settings of \(settings.node) are complete.")
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            throw ExitCode.failure
        }
    }

    private func warn(_ sentence: String) {
        FileHandle.standardError.write(Data("Warning: \(sentence).\n".utf8))
    }
}
