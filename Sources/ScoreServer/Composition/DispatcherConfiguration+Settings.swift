// Settings become the dispatcher's configuration.

import Foundation
import MatchEngine
import PushDispatcher
import ScoreTypes

extension DispatcherConfiguration {
    /// The configuration of the settings; throws `SigningError` or `ConfigurationProblems` for a file that fails.
    init(_ settings: ServerConfiguration.Push, key: ServerConfiguration.Push.Key) throws {
        var authorities: [UInt8]?
        if let path = settings.authorityFile {
            guard let data = FileManager.default.contents(atPath: path) else {
                throw ConfigurationProblems(sentences: [
                    "apns.ca.file: cannot read \(path); give the path of a PEM file"
                ])
            }
            authorities = Array(data)
        }
        self.init(
            bundleID: settings.bundleID,
            teamID: key.team,
            keyID: key.id,
            signingKey: try SigningKey(contentsOfFile: key.file),
            variants: [SurfaceRenderer.attributesType: ActivityVariant.portable.rawValue],
            environments: settings.environments,
            authorities: authorities,
            connectionsPerEnvironment: settings.connections
        )
        channelStorage = settings.channelStorage
    }
}
