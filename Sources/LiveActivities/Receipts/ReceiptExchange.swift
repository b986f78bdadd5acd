// A phone reports to any node, and the owner of its bucket judges the report; notifications of PostgreSQL carry it.

internal import Logging
public import Postgres
internal import ScoreTypes

/// Passes receipts to the owners of their buckets, and takes those of other nodes.
///
/// Nothing is stored: a notification that is lost costs one receipt, and the activity stays unknown until the next.
public struct ReceiptExchange: Sendable {
    private static let channel = "receipts"
    private static let send: Statement = "select pg_notify('receipts', m.payload) from unnest($1) as m(payload)"

    private let monitor: ReceiptMonitor
    private let info: ConnectionInfo
    private let pool: Pool
    private let log = Logger(label: "score.receipts")

    /// Passes nothing before it runs.
    ///
    /// - Parameters:
    ///   - monitor: The receipts of this node.
    ///   - info: For a connection of its own that receives notifications.
    ///   - pool: For the notifications to other nodes.
    public init(_ monitor: ReceiptMonitor, info: ConnectionInfo, pool: Pool) {
        self.monitor = monitor
        self.info = info
        self.pool = pool
    }

    /// Sends and receives until cancelled.
    public func run() async {
        let listener = Listener(info, channels: [Self.channel])
        await withTaskGroup { group in
            group.addTask {
                while !Task.isCancelled {
                    await forward()
                    try? await Task.sleep(for: LiveActivityLimits.receiptForwardInterval)
                }
            }
            group.addTask {
                for await notification in listener.notifications {
                    guard case .message(_, let payload) = notification else { continue }
                    monitor.take(Self.messages(in: payload))
                }
            }
        }
        listener.stop()
    }

    /// Sends what has come for other nodes since the last call.
    func forward() async {
        let payloads = Self.payloads(of: monitor.takeOutgoing())
        guard !payloads.isEmpty else { return }
        do {
            _ = try await pool.query(Self.send, [.texts(payloads)]) { _ in () }
        } catch {
            log.warning("receipts not forwarded", metadata: ["payloads": "\(payloads.count)", "error": "\(error)"])
        }
    }

    /// Messages as texts that fit into a notification, a line each.
    static func payloads(of messages: [ReceiptMessage]) -> [String] {
        var payloads: [String] = []
        var text = ""
        for line in messages.map(\.line) {
            if !text.isEmpty, text.utf8.count + line.utf8.count >= LiveActivityLimits.notificationBytes {
                payloads.append(text)
                text = ""
            }
            text += text.isEmpty ? line : "\n" + line
        }
        return text.isEmpty ? payloads : payloads + [text]
    }

    /// The messages of a text; a line of another form, from a later version, is left out.
    static func messages(in payload: String) -> [ReceiptMessage] {
        payload.split(separator: "\n").compactMap { ReceiptMessage(line: $0) }
    }
}
