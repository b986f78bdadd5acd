// Settings become the dispatcher's configuration.

import MatchEngine
import PushDispatcher
import ScoreTypes

extension DispatcherConfiguration {
    /// The configuration of the settings; throws `SigningError` or `ConfigurationProblems` for a file that fails.
    init(_ settings: ServerConfiguration.Push, key: ServerConfiguration.Push.Key) throws {
        self.init(
            bundleID: settings.bundleID,
            teamID: key.team,
            keyID: key.id,
            signingKey: try SigningKey(contentsOfFile: key.file),
            variants: [SurfaceRenderer.attributesType: ActivityVariant.portable.rawValue],
            environments: settings.environments,
            authorities: try settings.authorities(),
            connectionsPerEnvironment: settings.connections,
            connectionsMax: settings.connectionsMax
        )
        channelStorage = settings.channelStorage
    }
}
