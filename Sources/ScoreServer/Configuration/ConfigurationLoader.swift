// Settings are looked up in the command line, the environment, the `.env` file, and the defaults, in this order.

import Configuration
import Foundation

/// Finds the texts behind the keys.
enum ConfigurationLoader {
    /// Reads the settings of this process.
    ///
    /// - Parameters:
    ///   - overrides: The settings of the command line, by dotted name.
    ///   - environment: The process's variables.
    ///   - file: Path of the `.env` file; a missing one counts as empty.
    /// - Returns: The checked settings.
    /// - Throws: `ConfigurationProblems` with all complaints at once.
    static func load(
        overrides: [String: String] = [:],
        environment: [String: String] = ProcessInfo.processInfo.environment,
        file: String = ".env"
    ) throws(ConfigurationProblems) -> ServerConfiguration {
        let text = try read(file)
        let reader = ConfigReader(providers: [
            EnvironmentVariablesProvider(environmentVariables: inEnvironmentNames(overrides)),
            EnvironmentVariablesProvider(environmentVariables: environment),
            EnvironmentVariablesProvider(environmentVariables: EnvironmentFile.values(in: text)),
        ])
        let fromFile = EnvironmentFile.values(in: text)
        var values = ConfigurationValues(environment: { environment[$0] ?? fromFile[$0] }) { key in
            reader.string(forKey: ConfigKey(key.name), isSecret: key.isSecret)
        }
        for complaint in EnvironmentFile.complaints(about: text, named: file) { values.complain(complaint) }
        for name in overrides.keys.sorted() where !ConfigurationKeys.all.contains(where: { $0.name == name }) {
            values.complain("\(name) is not a key of this server")
        }
        return try ServerConfiguration(reading: &values)
    }

    private static func inEnvironmentNames(_ overrides: [String: String]) -> [String: String] {
        var named: [String: String] = [:]
        for (name, value) in overrides { named[name.uppercased().replacing(".", with: "_")] = value }
        return named
    }

    private static func read(_ path: String) throws(ConfigurationProblems) -> String {
        guard let data = FileManager.default.contents(atPath: path) else { return "" }
        guard data.count <= ServerLimits.environmentFileBytes else {
            throw ConfigurationProblems(sentences: ["\(path) is larger than \(ServerLimits.environmentFileBytes) bytes"]
            )
        }
        return String(decoding: data, as: UTF8.self)
    }
}
