// temporary
import FollowService
import PushDispatcher
import ScoreTypes
struct ChannelJoin: ChannelStore { init(records: ChannelRecords, buckets: @escaping @Sendable () -> [Bucket], clock: ServiceClock) {} }
extension DispatcherConfiguration { init(_ p: ServerConfiguration.Push, key: ServerConfiguration.Push.Key) throws { self.init() } }
extension DispatcherStatus { var json: JSONValue { .null } }
