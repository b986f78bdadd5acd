// The interface between a lane and its thread: time and connections, so that a simulation can replace both.

internal import HTTP2
internal import ScoreTypes

/// One connection as a lane uses it; confined to the lane's thread.
protocol LinkConnection: AnyObject {
    /// Open requests.
    var openStreams: Int { get }
    /// Requests that the peer allows at once.
    var peerStreamLimit: Int { get }
    /// Requests that can be submitted now.
    var capacity: Int { get }
    /// Whether the connection accepts requests.
    var isOpen: Bool { get }

    /// Submits a request, reading all bytes during the call; false if it is refused.
    func submit(
        path: UnsafeRawBufferPointer,
        fixed: HeaderTemplate,
        extra: ExtraHeader?,
        body: BodyBytes?,
        tag: UInt64
    ) -> Bool

    /// Accepts no more requests, and closes after the last answer.
    func drain()
    /// Closes now.
    func close()
}

extension ClientConnection: LinkConnection {}

/// The services of a lane's thread: time, and connections that report to a link.
protocol LaneRuntime: AnyObject {
    /// Monotonic time of the thread.
    var now: Duration { get }
    /// Time for which the thread has waited for events since its start.
    var asleep: Duration { get }
    /// Runs a body later, on the thread.
    func schedule(after interval: Duration, _ body: @escaping () -> Void)
    /// Opens a connection, which reports to the link.
    func dial(_ configuration: ClientConfiguration, for link: Link) -> any LinkConnection
}

extension LoopContext: LaneRuntime {
    func schedule(after interval: Duration, _ body: @escaping () -> Void) { schedule(after: interval) { _ in body() } }

    func dial(_ configuration: ClientConfiguration, for link: Link) -> any LinkConnection {
        ClientConnection.open(configuration, in: self, delegate: link)
    }
}

/// The thread of a lane.
protocol LaneThread: Sendable {
    /// Runs a body on the thread; false if the lane has stopped or its queue is full.
    @discardableResult
    func perform(_ body: @escaping @Sendable (LaneCore) -> Void) -> Bool
    /// Closes the connections and ends the thread; open requests become ambiguous.
    func stop()
    /// Waits until the thread has ended after `stop`.
    func ended() async
}
