// A misspelt name in the environment is reported: without a report, the setting would silently keep its default.

import Foundation

/// The names of variables that are settings, or look like one.
enum EnvironmentNames {
    /// Prefix of the variables that `feeds.file` names: keys and secrets of providers.
    static let freePrefix = "FEEDS_SECRET_"

    private static let keys = Set(ConfigurationKeys.all.map(\.environmentName))
    private static let sections = Set(keys.compactMap { Self.section(of: $0) })

    /// Variables that begin like a setting and have other readers.
    private static let others: Set<String> = [
        // Proxies (curl, Docker), systemd and Node.js.
        "HTTP_PROXY", "LOG_NAMESPACE", "NODE_ENV", "NODE_EXTRA_CA_CERTS", "NODE_OPTIONS", "NODE_PATH",
        // The commands of this project, its runbooks and its tests.
        SweepCommand.tokenVariable, "SCORE_NODE", "SCORE_DATA",
    ]

    /// Whether a file of settings may have the name.
    static func isSetting(_ name: String) -> Bool { keys.contains(name) || name.hasPrefix(freePrefix) }

    /// The names that begin like a setting and that no program reads, sorted.
    ///
    /// They are no errors: Docker and Kubernetes add variables such as `FEED_PORT` for a service with the name `feed`.
    static func unknown(in environment: [String: String] = ProcessInfo.processInfo.environment) -> [String] {
        environment.keys.filter { name in
            guard let word = section(of: name), sections.contains(word) else { return false }
            return !isSetting(name) && !others.contains(name)
        }
        .sorted()
    }

    /// The complaint about an unknown name, after the place where it was found.
    static func complaint(about name: String, in place: String) -> String {
        "\(place): \(name) is not a key of this server"
    }

    /// The text before the first underscore, such as `HTTP`; nil for a name of one word.
    private static func section(of name: String) -> Substring? { name.firstIndex(of: "_").map { name[..<$0] } }
}
