// One thread writes to many streams: a state costs one system call for each reader, and no task or lock.

import NIOCore
import ScoreTypes

/// A stream whose client has received the head of its answer.
struct NewStream: Sendable {
    let ticket: StreamTicket
    let socket: StreamSocket
    let matches: [MatchID]
    let isSingle: Bool
    /// The positions that the client sent; nil when it sent none.
    let claimed: StreamPositions?
    /// How each match starts in balls mode; nil in state mode.
    let balls: [BallsStart]?
    let node: NodeID
    /// Reads the newest state of each match from memory.
    ///
    /// The loop registers the stream first, so that no state in between is lost.
    let heads: @Sendable () -> [MatchView]

    /// The events that the client receives.
    var mode: StreamMode { balls == nil ? .state : .balls }
}

/// A thread with its streams.
final class StreamLoop: Sendable {
    /// The work of the thread.
    enum Order: Sendable {
        case open(NewStream)
        case publish(StreamBatch)
        /// An event of a match that moves no position.
        case notify(StreamNotice)
        case close(StreamID, StreamEnd, reconnectAfter: Duration = .seconds(1))
        /// Describes the streams of a match, or all.
        case list(MatchID?, @Sendable ([StreamDescription]) -> Void)
        /// Ends all streams; their clients reconnect at random times within the interval.
        case drain(within: Duration)
        /// Closes all sockets and ends the thread.
        case stop
    }

    private let orders = Mailbox<Order>(limit: ServerLimits.streamOrders)

    /// Starts the thread.
    ///
    /// - `unsentMax`: Bytes that wait for the readers of this thread.
    init(
        number: Int,
        history: ChangeHistory,
        timing: StreamTiming,
        unsentMax: Int,
        metrics: StreamMetrics,
        clock: ServiceClock
    ) {
        let orders = orders
        OwnedThread.start(name: "stream-\(number)") {
            StreamThread(
                orders: orders,
                history: history,
                timing: timing,
                unsentMax: unsentMax,
                metrics: metrics,
                clock: clock
            ).run()
        }
    }

    deinit { orders.post(.stop) }

    /// Passes work to the thread; work beyond the limit is dropped, and the socket of a new stream closes.
    func post(_ order: Order) { orders.post(order) }

    /// The streams of a match, or all; none when the thread does not answer in time.
    func streams(of match: MatchID?) async -> [StreamDescription] {
        let answer = FirstValue<[StreamDescription]>()
        post(.list(match) { answer.set($0) })
        let streams = try? await Deadline.run(ServerLimits.streamListWait, .unavailable("overload")) {
            await answer.value()
        }
        return streams ?? []
    }
}
