// Lanes decide about streams and time, not sockets; so little is asked of both that a day can be played in a second.

internal import HTTP2
internal import ScoreTypes

/// One connection as a lane uses it; confined to the lane's thread.
protocol LinkConnection: AnyObject {
    /// Requests under way.
    var openStreams: Int { get }
    /// Requests that the peer allows at once.
    var peerStreamLimit: Int { get }
    /// Requests that can be made now.
    var capacity: Int { get }
    /// Whether requests are taken.
    var isOpen: Bool { get }

    /// Makes a request; false when none is taken now. All bytes are read during the call.
    func submit(
        path: UnsafeRawBufferPointer,
        fixed: HeaderTemplate,
        extra: ExtraHeader?,
        body: BodyBytes?,
        tag: UInt64
    ) -> Bool

    /// Takes no more requests and closes after the last answer.
    func drain()
    /// Closes now.
    func close()
}

extension ClientConnection: LinkConnection {}

/// What a lane's thread offers: time, and connections that report to a link.
protocol LaneRuntime: AnyObject {
    /// Time of the thread, monotonic.
    var now: Duration { get }
    /// Runs a body later, on the thread.
    func schedule(after interval: Duration, _ body: @escaping () -> Void)
    /// Begins a connection; its link hears how that goes.
    func dial(_ configuration: ClientConfiguration, for link: Link) -> any LinkConnection
}

/// An event loop with true sockets.
final class EventLoopRuntime: LaneRuntime {
    private let context: LoopContext

    init(_ context: LoopContext) { self.context = context }

    var now: Duration { context.now }

    func schedule(after interval: Duration, _ body: @escaping () -> Void) {
        context.schedule(after: interval) { _ in body() }
    }

    func dial(_ configuration: ClientConfiguration, for link: Link) -> any LinkConnection {
        ClientConnection.open(configuration, in: context, delegate: link)
    }
}

/// What runs the inside of a lane, one piece of work after the other.
protocol LaneThread: Sendable {
    /// Runs a body with the lane's inside; false when the lane is over or too far behind.
    func perform(_ body: @escaping @Sendable (LaneCore) -> Void) -> Bool
    /// Ends the thread after the work that waits.
    func stop()
}
