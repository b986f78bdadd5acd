// The dispatcher's channels and settings, joined with their store and with the configuration.

import FollowService
import Foundation
import MatchEngine
import PushDispatcher
import ScoreTypes

/// Channels as FollowService keeps them; the duty for a match falls to the node that owns the match's own bucket.
struct ChannelJoin: ChannelStore {
    let records: ChannelRecords
    let buckets: @Sendable () -> [Bucket]

    func channels(of match: MatchID) async throws -> [PushDispatcher.ChannelRecord] {
        try await records.channels(of: match).map { PushDispatcher.ChannelRecord($0) }
    }

    func save(_ record: PushDispatcher.ChannelRecord) async throws -> PushDispatcher.ChannelRecord {
        PushDispatcher.ChannelRecord(try await records.save(FollowService.ChannelRecord(record)))
    }

    func retire(_ channel: ChannelID, in environment: PushEnvironment, at: Instant) async throws {
        try await records.retire(channel, in: environment, at: at)
    }

    func recordBroadcast(
        _ channel: ChannelID,
        in environment: PushEnvironment,
        revision: Int64,
        at: Instant
    ) async throws {
        try await records.recordBroadcast(channel, in: environment, revision: revision, at: at)
    }

    func holdsDuty(for match: MatchID) -> Bool {
        // A match has a bucket of its own, by a hash of its id, so that matches spread over the nodes.
        let own = Int16(FNV1a.hash(match.text.utf8) % UInt64(Bucket.count))
        return buckets().contains { $0.number == own }
    }
}

extension PushDispatcher.ChannelRecord {
    /// The record as the dispatcher reads it.
    fileprivate init(_ record: FollowService.ChannelRecord) {
        self.init(
            match: record.match,
            environment: record.environment,
            attributesType: record.attributesType,
            profile: record.profile == .loud ? .loud : .quiet,
            generation: record.generation,
            channel: record.channel,
            createdAt: record.createdAt,
            retiredAt: record.retiredAt,
            sentRevision: record.sentRev,
            sentAt: record.sentAt,
            supersededAt: record.supersededAt
        )
    }
}

extension FollowService.ChannelRecord {
    /// The record as it is stored; what was broadcast is recorded apart.
    fileprivate init(_ record: PushDispatcher.ChannelRecord) {
        self.init(
            match: record.match,
            environment: record.environment,
            attributesType: record.attributesType,
            profile: record.profile == .loud ? .loud : .quiet,
            generation: record.generation,
            channel: record.channel,
            createdAt: record.createdAt
        )
    }
}

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
    fileprivate init(_ doors: ServerConfiguration.Push.Doors) {
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
