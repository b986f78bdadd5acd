// The ladder: what the command line said, then the environment, then the `.env` file, then the defaults of the keys.

import Configuration
import Foundation

/// Finds the texts behind the keys.
enum ConfigurationLoader {
    /// Largest `.env` file read, in bytes; a real one has a few dozen lines.
    static let fileBytesMax = 64 * 1024

    /// Reads the settings of this process.
    ///
    /// - Parameters:
    ///   - overrides: What the command line said, by dotted name.
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
        guard data.count <= fileBytesMax else {
            throw ConfigurationProblems(sentences: ["\(path) is larger than \(fileBytesMax) bytes"])
        }
        return String(decoding: data, as: UTF8.self)
    }
}
