// PostgreSQL notifies of commits; a notification may be lost, so it never is the only source of information.

internal import Glibc
public import Logging
internal import ScoreTypes

/// Listens on channels with its own connection and thread, and reconnects when the connection is lost.
public final class Listener: Sendable {
    /// What was received.
    public enum Notification: Sendable, Hashable {
        /// A transaction with a NOTIFY was committed.
        case message(channel: String, payload: String)
        /// Listening began, for the first time or again: read the tables, since earlier messages were not received.
        case reconnected
    }

    /// Messages buffered for a slow reader, the newest; each is only a hint to read the tables.
    public static let bufferMax = 1024

    /// Interval without messages after which the server is queried: whether it answers, and whether it is still the
    /// primary.
    private static let silenceMax = Duration.seconds(30)

    /// What is received, for one reader; ends after `stop`.
    public let notifications: AsyncStream<Notification>
    private let orders: Mailbox<Order>

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - info: Server, login and database.
    ///   - channels: Names as given to NOTIFY.
    ///   - logger: Receives warnings about lost connections.
    public convenience init(_ info: ConnectionInfo, channels: [String], logger: Logger = Logger(label: "listener")) {
        self.init(info, channels: channels, logger: logger, silenceMax: Self.silenceMax)
    }

    /// Starts to listen; `silenceMax` is the interval without messages after which the server is checked.
    init(_ info: ConnectionInfo, channels: [String], logger: Logger = Logger(label: "listener"), silenceMax: Duration) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Notification.self,
            bufferingPolicy: .bufferingNewest(Self.bufferMax)
        )
        let orders = Mailbox<Order>(limit: 1)
        notifications = stream
        self.orders = orders
        OwnedThread.start(name: "listener") {
            let ear = Ear(
                info: info,
                channels: channels,
                silenceMax: silenceMax,
                orders: orders,
                continuation: continuation,
                logger: logger
            )
            ear.run()
            continuation.finish()
        }
    }

    deinit { orders.post(.stop) }

    /// Ends the stream and the thread; further calls have no effect.
    public func stop() { orders.post(.stop) }

    enum Order: Sendable { case stop }
}

/// The work of the listener's thread.
private struct Ear {
    /// First pause before a reconnection; it doubles up to the longest, so that an unreachable server is not flooded.
    private static let pauseMin = Duration.milliseconds(100)
    private static let pauseMax = Duration.seconds(2)

    let info: ConnectionInfo
    let channels: [String]
    let silenceMax: Duration
    let orders: Mailbox<Listener.Order>
    let continuation: AsyncStream<Listener.Notification>.Continuation
    let logger: Logger

    func run() {
        var pause = Self.pauseMin
        while true {
            do {
                let session = try connect()
                pause = Self.pauseMin
                continuation.yield(.reconnected)
                try hear(on: session)
                return
            } catch {
                logger.warning("listening interrupted", metadata: ["error": "\(error)"])
            }
            if wait(for: nil, upTo: pause) == .order { return }
            pause = min(pause * 2, Self.pauseMax)
        }
    }

    private func connect() throws(PostgresError) -> Session {
        let session = try Session(info, name: "listener", statementTimeout: Connection.statementTimeoutDefault)
        for channel in channels { _ = try session.run("listen \(try session.identifier(channel))") }
        return session
    }

    /// Returns when stopped; throws when the connection is lost.
    private func hear(on session: Session) throws(PostgresError) {
        while true {
            for (channel, payload) in try session.takeNotifications() {
                continuation.yield(.message(channel: channel, payload: payload))
            }
            switch wait(for: session.descriptor, upTo: silenceMax) {
            case .order: return
            case .input: continue
            case .silence:
                _ = try session.run("select 1")
                try session.checkIsPrimary()
            }
        }
    }

    private enum Event { case order, input, silence }

    private func wait(for descriptor: Int32?, upTo limit: Duration) -> Event {
        let deadline = ContinuousClock.now + limit
        while true {
            var watched = [pollfd(fd: orders.wakeDescriptor, events: Int16(POLLIN), revents: 0)]
            if let descriptor { watched.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
            let left = ContinuousClock.now.duration(to: deadline).milliseconds
            let count = poll(&watched, nfds_t(watched.count), Int32(clamping: max(0, left)))
            if watched[0].revents != 0 { return .order }
            if count > 0 { return .input }
            if count == 0 { return .silence }
        }
    }
}
