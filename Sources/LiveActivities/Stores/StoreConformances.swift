// FollowService and PushDispatcher do not import one another; here the stores of the one become those of the other.

public import FollowService
public import PushDispatcher
public import ScoreTypes

extension ChannelRecords: ChannelStore {}
extension ProgressRecords: ProgressStore {}
extension ProviderTokenRecords: ProviderTokenStore {}

extension ArenaIndex: TokenSource {
    /// Copies the next tokens of a bucket in an environment into a slice.
    ///
    /// - Returns: The cursor for the next call; nil when the walk cannot continue in these tokens.
    public func copyTokens(
        of match: MatchID,
        bucket: Bucket,
        environment: PushEnvironment,
        before cursor: WalkCursor,
        into slice: inout TokenSlice
    ) -> WalkCursor? {
        self.slice(match: match, bucket: bucket, before: cursor, of: environment) { entries in
            entries.forEach { entry in
                slice.append(
                    device: entry.activity.device,
                    generation: entry.activity.generation,
                    variant: entry.activity.variant.rawValue,
                    wish: entry.activity.wish,
                    newSince: entry.activity.generation > 1 ? 0 : entry.activity.registeredAt,
                    token: entry.token
                )
            }
        }
    }
}
