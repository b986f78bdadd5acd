// Settings are looked up in the environment, the `.env` file, and the defaults, in this order.

import Configuration
import Foundation

/// Finds the texts behind the keys.
enum ConfigurationLoader {
    /// Reads the settings of this process; a missing file counts as empty, and all complaints are thrown at once.
    static func load(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        file: String = ".env"
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
        guard let data = FileManager.default.contents(atPath: path) else { return "" }
        guard data.count <= ServerLimits.environmentFileBytes else {
            throw ConfigurationProblems(sentences: ["\(path) is larger than \(ServerLimits.environmentFileBytes) bytes"]
            )
        }
        return String(decoding: data, as: UTF8.self)
    }
}
