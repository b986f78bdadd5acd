// The current state of connections and queues; lanes report it, and the dispatcher adds it up.

/// The requests that wait in one queue.
public struct QueueGauge: Sendable, Hashable {
    /// By index of their kind.
    private var counts: [Int]
    /// The part that waits for another try.
    public private(set) var retrying: Int
    /// Age of the oldest one whose turn is next in its match; nil if none waits for a stream.
    public private(set) var oldest: Duration?

    init(
        waiting counts: [Int] = Array(repeating: 0, count: PayloadKind.allCases.count),
        retrying: Int = 0,
        oldest: Duration? = nil
    ) {
        (self.counts, self.retrying, self.oldest) = (counts, retrying, oldest)
    }

    /// All waiting requests.
    public var waiting: Int { counts.reduce(0, +) }
    /// The waiting requests of one kind.
    public func waiting(_ kind: PayloadKind) -> Int { counts[kind.index] }

    static func += (sum: inout QueueGauge, lane: QueueGauge) {
        for kind in sum.counts.indices { sum.counts[kind] += lane.counts[kind] }
        sum.retrying += lane.retrying
        sum.oldest = [sum.oldest, lane.oldest].compactMap { $0 }.max()
    }
}

/// The current gauges of one environment.
public struct LaneGauges: Sendable, Hashable {
    /// Connection slots.
    public internal(set) var connections = 0
    /// Open connections.
    public internal(set) var connectionsOpen = 0
    /// Open requests.
    public internal(set) var streamsInUse = 0
    /// Requests that APNs allows at once.
    public internal(set) var streamsAllowed = 0
    /// Lanes whose breaker is not closed.
    public internal(set) var breakersOpen = 0
    /// The part of these lanes that sends single probes.
    public internal(set) var breakersHalfOpen = 0
    /// The answer that opened a breaker; nil while all breakers are closed.
    var breakerReason: APNsReason?
    /// Starts, ends, notifications and broadcasts that wait for a stream.
    public internal(set) var directedWaiting = 0
    /// Tokens that wait for another try.
    public internal(set) var retriesWaiting = 0
    /// Broadcasts to channels that wait.
    public internal(set) var broadcasts = QueueGauge()
    /// Starts, ends and reloads of widgets that wait.
    public internal(set) var lifecycle = QueueGauge()
    /// Notifications and background pushes that wait.
    public internal(set) var notifications = QueueGauge()
    var bucketsUnderWay = 0

    static func += (sum: inout LaneGauges, lane: LaneGauges) {
        sum.connections += lane.connections
        sum.connectionsOpen += lane.connectionsOpen
        sum.streamsInUse += lane.streamsInUse
        sum.streamsAllowed += lane.streamsAllowed
        sum.breakersOpen += lane.breakersOpen
        sum.breakersHalfOpen += lane.breakersHalfOpen
        sum.breakerReason = lane.breakerReason ?? sum.breakerReason
        sum.broadcasts += lane.broadcasts
        sum.lifecycle += lane.lifecycle
        sum.notifications += lane.notifications
        sum.directedWaiting += lane.directedWaiting
        sum.retriesWaiting += lane.retriesWaiting
        sum.bucketsUnderWay += lane.bucketsUnderWay
    }
}
