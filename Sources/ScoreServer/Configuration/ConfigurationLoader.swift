// Settings are looked up in the environment, the `.env` file, and the defaults, in this order.

import Configuration
import Foundation

/// Finds the texts behind the keys.
enum ConfigurationLoader {
    /// The file that is read when none is named; it may be missing.
    static let usualFile = ".env"
    /// Stands for no file.
    static let noFile = "none"

    /// Reads the settings of this process; all complaints are thrown at once.
    static func load(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        file: String = usualFile
    ) throws(ConfigurationProblems) -> ServerConfiguration {
        let text = try read(file)
        let fromFile = EnvironmentFile.values(in: text)
        let reader = ConfigReader(providers: [
            EnvironmentVariablesProvider(environmentVariables: environment),
            EnvironmentVariablesProvider(environmentVariables: fromFile),
        ])
        var values = ConfigurationValues(environment: { environment[$0] ?? fromFile[$0] }) { key in
            reader.string(forKey: ConfigKey(key.name), isSecret: key.isSecret)
        }
        for complaint in EnvironmentFile.complaints(about: text, named: file) { values.complain(complaint) }
        var settings = try ServerConfiguration(reading: &values)
        settings.effective = EffectiveSetting.all(environment: environment, file: fromFile)
        return settings
    }

    private static func read(_ path: String) throws(ConfigurationProblems) -> String {
        if path == noFile || path == usualFile && !FileManager.default.fileExists(atPath: path) { return "" }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationProblems(sentences: ["\(path): expected a settings file that this user can read"])
        }
        guard data.count <= ServerLimits.environmentFileBytes else {
            throw ConfigurationProblems(sentences: ["\(path) is larger than \(ServerLimits.environmentFileBytes) bytes"]
            )
        }
        return String(decoding: data, as: UTF8.self)
    }
}
