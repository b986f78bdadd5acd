// The dispatcher's channels and settings, joined with their store and with the configuration.

import FollowService
import Foundation
import HTTP2
import PushDispatcher
import ScoreTypes

/// Channels as FollowService keeps them; the duty for a match falls to the node that owns the match's own bucket.
struct ChannelJoin: ChannelStore {
    let records: ChannelRecords
    let buckets: @Sendable () -> [Bucket]
    let clock: ServiceClock

    func channels(of match: MatchID) async throws -> [KnownChannel] {
        try await records.channels(of: match).filter { $0.retiredAt == nil }.map { record in
            KnownChannel(
                purpose: ChannelPurpose(
                    match: match,
                    environment: record.environment,
                    attributesType: record.attributesType,
                    profile: record.profile == .loud ? .loud : .quiet
                ),
                channel: record.channel,
                sentRevision: record.sentRev
            )
        }
    }

    func save(_ channel: ChannelID, for purpose: ChannelPurpose) async throws -> ChannelID {
        let profile: ChannelProfile = purpose.profile == .loud ? .loud : .quiet
        let known = try await records.channels(of: purpose.match).filter { record in
            record.environment == purpose.environment && record.attributesType == purpose.attributesType
                && record.profile == profile
        }
        let record = ChannelRecord(
            match: purpose.match,
            environment: purpose.environment,
            attributesType: purpose.attributesType,
            profile: profile,
            // Channels that were given up keep their generation.
            generation: (known.filter { $0.retiredAt != nil }.map(\.generation).max() ?? 0) + 1,
            channel: channel,
            createdAt: clock.wall
        )
        return try await records.save(record).channel
    }

    func retire(_ channel: ChannelID, in environment: PushEnvironment) async throws {
        try await records.retire(channel, in: environment, at: clock.wall)
    }

    func recordBroadcast(_ channel: ChannelID, in environment: PushEnvironment, revision: Int64) async throws {
        try await records.recordBroadcast(channel, in: environment, revision: revision, at: clock.wall)
    }

    func holdsDuty(for match: MatchID) -> Bool {
        // A match's own bucket: FNV-1a of its id, so that matches spread over the nodes.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in match.text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        let own = Int16(hash % UInt64(Bucket.count))
        return buckets().contains { $0.number == own }
    }
}

extension DispatcherConfiguration {
    /// The settings of the way to Apple.
    ///
    /// - Throws: `SigningError`, or `PushSettingError` when the authority's file cannot be read.
    init(_ settings: ServerConfiguration.Push, key: ServerConfiguration.Push.Key) throws {
        var trust = TLSTrust.system
        if let path = settings.authorityFile {
            guard let data = FileManager.default.contents(atPath: path) else {
                throw PushSettingError.unreadableAuthority(path: path)
            }
            trust = .certificates(pem: Array(data))
        }
        self.init(
            environment: settings.environment,
            push: PushEndpoint(host: settings.push.host, port: settings.push.port),
            broadcast: PushEndpoint(host: settings.broadcast.host, port: settings.broadcast.port),
            manage: PushEndpoint(host: settings.manage.host, port: settings.manage.port),
            trust: trust,
            authorityFile: settings.authorityFile,
            key: try SigningKey(contentsOfFile: key.file),
            keyID: key.id,
            teamID: key.team,
            bundleID: settings.bundleID,
            connections: settings.connections
        )
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

extension DispatcherStatus {
    /// The object of the admin API.
    var json: JSONValue {
        .record([
            "accepted": .integer(Int64(accepted)), "rejected": .integer(Int64(rejected)),
            "failed": .integer(Int64(failed)), "broadcasts": .integer(Int64(broadcasts)),
            "superseded": .integer(Int64(superseded)), "connections": .integer(Int64(connections)),
            "inFlight": .integer(Int64(inFlight)), "matches": .integer(Int64(matches)),
            "reasons": .object(
                byReason.map { .init(name: $0.key.rawValue, value: .integer(Int64($0.value))) }
                    .sorted { $0.name < $1.name }
            ),
        ])
    }
}
