// Each command that reads settings has the same option for their file.

import ArgumentParser

/// The option that names the settings file.
struct SettingsFile: ParsableArguments {
    @Option(help: "Settings file, which has to exist; none for no file. The environment overrides it.")
    var env = ConfigurationLoader.usualFile

    /// Reads the settings; all complaints are thrown at once.
    func load() throws(ConfigurationProblems) -> ServerConfiguration { try ConfigurationLoader.load(file: env) }
}
