// The fan-out that is measured walks the same arena as a server's.

import FollowService
import PushDispatcher
import ScoreTypes

/// The tokens of an arena, as the dispatcher reads them.
struct BenchTokens: TokenSource {
    let arenas: ArenaIndex

    func buckets(of match: MatchID) -> [Bucket] { arenas.buckets(of: match) }

    func copyTokens(
        of match: MatchID,
        bucket: Bucket,
        before cursor: WalkCursor,
        into slice: inout TokenSlice
    ) -> WalkCursor? {
        arenas.slice(match: match, bucket: bucket, before: cursor) { entries in
            entries.forEach { entry in
                slice.append(
                    device: entry.device,
                    generation: entry.generation,
                    environment: entry.environment,
                    variant: entry.variant.rawValue,
                    wish: entry.wish,
                    token: entry.token
                )
            }
        }
    }

    func token(of match: MatchID, device: DeviceID, generation: Int32) -> PushToken? {
        arenas.token(match: match, device: device, generation: generation)
    }

    func newest(of match: MatchID, device: DeviceID) -> LateToken? {
        arenas.activity(match: match, device: device).map { activity in
            LateToken(
                device: device,
                generation: activity.generation,
                environment: activity.environment,
                variant: activity.variant.rawValue
            )
        }
    }

    /// The sink rejects no token.
    func evict(_ rejections: [Rejection]) async {}
}
