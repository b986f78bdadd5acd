// The current state of connections and queues; lanes report it, and the dispatcher adds it up.

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
    /// Starts, ends, notifications and broadcasts that wait for a stream.
    public internal(set) var directedWaiting = 0
    /// Tokens that wait for another try.
    public internal(set) var retriesWaiting = 0
    var bucketsUnderWay = 0

    static func += (sum: inout LaneGauges, lane: LaneGauges) {
        sum.connections += lane.connections
        sum.connectionsOpen += lane.connectionsOpen
        sum.streamsInUse += lane.streamsInUse
        sum.streamsAllowed += lane.streamsAllowed
        sum.breakersOpen += lane.breakersOpen
        sum.directedWaiting += lane.directedWaiting
        sum.retriesWaiting += lane.retriesWaiting
        sum.bucketsUnderWay += lane.bucketsUnderWay
    }
}
