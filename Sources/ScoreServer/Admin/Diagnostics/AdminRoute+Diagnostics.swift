// The routes of log levels, settings and reports about a node.

import HTTPTypes

extension AdminRoute {
    static let logLevels = read("log-level.read", "/log-level")
    static let putLogLevel = write("log-level.put", "/log-level", .operate, by: .put).withBody
    static let configuration = read("config.read", "/config")
    static let diagnostics = read("diagnostics.read", "/diagnostics/bundle", .administer)

    /// All of them.
    static let diagnosticRoutes = [logLevels, putLogLevel, configuration, diagnostics]
}
