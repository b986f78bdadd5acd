// PostgreSQL notifies of commits; a notification may be lost, so it never is the only source of information.

internal import Glibc
internal import Logging
internal import ScoreTypes

/// Listens on channels with its own connection and thread, and reconnects when the connection is lost.
public final class Listener: Sendable {
    /// A received notification.
    public enum Notification: Sendable, Hashable {
        /// A transaction with a NOTIFY was committed.
        case message(channel: String, payload: String)
        /// Listening began, for the first time or again: read the tables, since earlier messages were not received.
        case reconnected
    }

    /// The received notifications, for one reader; ends after `stop`.
    public let notifications: AsyncStream<Notification>
    private let commands: Mailbox<Command>

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - info: Server, login and database.
    ///   - channels: Names as given to NOTIFY.
    ///   - silenceMax: Time without messages after which the server is checked.
    public init(_ info: ConnectionInfo, channels: [String], silenceMax: Duration = PostgresLimits.listenerSilence) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Notification.self,
            bufferingPolicy: .bufferingNewest(PostgresLimits.bufferedNotifications)
        )
        let commands = Mailbox<Command>(limit: 1)
        notifications = stream
        self.commands = commands
        OwnedThread.start(name: "listener") {
            let work = ListenerThread(
                info: info,
                channels: channels,
                silenceMax: silenceMax,
                commands: commands,
                continuation: continuation
            )
            work.run()
            continuation.finish()
        }
    }

    deinit { commands.post(.stop) }

    /// Ends the stream and the thread; further calls have no effect.
    public func stop() { commands.post(.stop) }

    enum Command: Sendable { case stop }
}

/// The work of the listener's thread.
private struct ListenerThread {

    let info: ConnectionInfo
    let channels: [String]
    let silenceMax: Duration
    let commands: Mailbox<Listener.Command>
    let continuation: AsyncStream<Listener.Notification>.Continuation
    private let logger = Logger(label: "listener")

    func run() {
        var pause = PostgresLimits.reconnectPauseShortest
        while true {
            do {
                let session = try connect()
                pause = PostgresLimits.reconnectPauseShortest
                continuation.yield(.reconnected)
                try receive(on: session)
                return
            } catch {
                logger.warning("listener lost its connection", metadata: ["error": "\(error)"])
            }
            if wait(for: nil, upTo: pause) == .command { return }
            pause = min(pause * 2, PostgresLimits.reconnectPauseLongest)
        }
    }

    private func connect() throws(PostgresError) -> Session {
        let session = try Session(info, name: "listener", statementTimeout: PostgresLimits.statementTimeout)
        for channel in channels { _ = try session.run("listen \(try session.identifier(channel))") }
        return session
    }

    /// Returns when stopped; throws when the connection is lost.
    private func receive(on session: Session) throws(PostgresError) {
        while true {
            for (channel, payload) in try session.takeNotifications() {
                continuation.yield(.message(channel: channel, payload: payload))
            }
            switch wait(for: session.descriptor, upTo: silenceMax) {
            case .command: return
            case .input: continue
            case .silence:
                _ = try session.run("select 1")
                try session.checkIsPrimary()
            }
        }
    }

    private enum Event { case command, input, silence }

    private func wait(for descriptor: Int32?, upTo limit: Duration) -> Event {
        let deadline = ContinuousClock.now + limit
        while true {
            var watched = [pollfd(fd: commands.wakeDescriptor, events: Int16(POLLIN), revents: 0)]
            if let descriptor { watched.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
            let left = ContinuousClock.now.duration(to: deadline).milliseconds
            let count = poll(&watched, nfds_t(watched.count), Int32(clamping: max(0, left)))
            if watched[0].revents != 0 { return .command }
            if count > 0 { return .input }
            if count == 0 { return .silence }
        }
    }
}
