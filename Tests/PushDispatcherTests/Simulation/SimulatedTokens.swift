// The tokens of the simulated day, in few buckets so that walks take no time.

import ScoreTypes
import Synchronization

@testable import PushDispatcher

/// Tokens by match and bucket.
final class SimulatedTokens: TokenSource {
    /// Served buckets: all phones of a simulation are in these.
    static let buckets = Array(Bucket.all.prefix(16))

    private struct Entry {
        let device: DeviceID
        let generation: Int32
        let token: PushToken
    }

    private let state = Mutex<[MatchID: [Bucket: [Entry]]]>([:])

    /// The next device in a served bucket.
    static func device(using chance: inout SplitMix64) -> DeviceID {
        while true {
            let device = DeviceID(using: &chance)
            if buckets.contains(Bucket(of: device)) { return device }
        }
    }

    func put(_ device: DeviceID, _ generation: Int32, _ token: PushToken, of match: MatchID) {
        state.withLock { state in
            let bucket = Bucket(of: device)
            let entry = Entry(device: device, generation: generation, token: token)
            if let index = state[match]?[bucket]?.firstIndex(where: { $0.device == device }) {
                state[match]?[bucket]?[index] = entry
            } else {
                state[match, default: [:]][bucket, default: []].append(entry)
            }
        }
    }

    func buckets(of match: MatchID) -> [Bucket] { Self.buckets }

    func copyTokens(
        of match: MatchID,
        bucket: Bucket,
        environment: PushEnvironment,
        before cursor: WalkCursor,
        into slice: inout TokenSlice
    ) -> WalkCursor? {
        let entries = state.withLock { $0[match]?[bucket] ?? [] }
        for entry in entries.reversed() where environment == .production {
            entry.token.bytes.withUnsafeBytes { bytes in
                _ = slice.append(device: entry.device, generation: entry.generation, token: bytes)
            }
        }
        return WalkCursor(build: 1, place: 0)
    }

    func token(of match: MatchID, device: DeviceID, generation: Int32) -> PushToken? {
        state.withLock { state in
            state[match]?[Bucket(of: device)]?.first { $0.device == device && $0.generation == generation }?.token
        }
    }

    func newest(of match: MatchID, device: DeviceID) -> LateToken? {
        state.withLock { state in
            state[match]?[Bucket(of: device)]?.first { $0.device == device }.map {
                LateToken(match: match, device: device, generation: $0.generation, environment: .production)
            }
        }
    }

    func evict(_ rejected: RejectedToken) {
        state.withLock { state in
            state[rejected.match]?[Bucket(of: rejected.device)]?.removeAll {
                $0.device == rejected.device && $0.generation <= rejected.generation
            }
        }
    }
}
