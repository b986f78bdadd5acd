// The settings of the way to Apple become the dispatcher's configuration.

import Foundation
import MatchEngine
import PushDispatcher
import ScoreTypes

extension DispatcherConfiguration {
    /// The settings of the way to Apple.
    ///
    /// - Throws: `SigningError`, or `PushSettingError` when the authority's file cannot be read.
    init(_ settings: ServerConfiguration.Push, key: ServerConfiguration.Push.Key) throws {
        var authorities: [UInt8]?
        if let path = settings.authorityFile {
            guard let data = FileManager.default.contents(atPath: path) else {
                throw PushSettingError.unreadableAuthority(path: path)
            }
            authorities = Array(data)
        }
        self.init(
            bundleID: settings.bundleID,
            teamID: key.team,
            keyID: key.id,
            signingKey: try SigningKey(contentsOfFile: key.file),
            variants: [SurfaceRenderer.attributesType: ActivityVariant.portable.rawValue],
            environments: settings.environments.mapValues { Endpoints($0) },
            authorities: authorities,
            connectionsPerEnvironment: settings.connections
        )
    }
}

extension DispatcherConfiguration.Endpoints {
    /// The three doors as they are set.
    fileprivate init(_ doors: ServerConfiguration.Push.Hosts) {
        self.init(
            push: DispatcherConfiguration.Endpoint(doors.push),
            broadcast: DispatcherConfiguration.Endpoint(doors.broadcast),
            management: DispatcherConfiguration.Endpoint(doors.manage)
        )
    }
}

extension DispatcherConfiguration.Endpoint {
    fileprivate init(_ address: ListenAddress) {
        self.init(host: address.host, port: UInt16(clamping: address.port))
    }
}

/// A setting of the way to Apple that names something unusable.
enum PushSettingError: Error, CustomStringConvertible {
    case unreadableAuthority(path: String)

    var description: String {
        switch self {
        case .unreadableAuthority(let path): "APNS_CA_FILE: \(path) cannot be read; give the path of a PEM file."
        }
    }
}
