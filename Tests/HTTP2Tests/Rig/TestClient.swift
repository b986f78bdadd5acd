// A client that sends requests as capacity allows, and records every event.

import HTTP2
import Synchronization

/// The recorded events of a client connection.
struct ClientRecord: Sendable {
    struct Answer: Sendable, Equatable {
        var status: Int
        var apnsID: String?
        var body: [UInt8]
    }

    var isOpen = false
    var answers: [UInt64: Answer] = [:]
    var failures: [UInt64: StreamFailure] = [:]
    var end: ConnectionEnd?
    var peerLimits: [Int] = []
    var openStreamsMax = 0
    var outcomes: Int { answers.count + failures.count }
}

/// A request of a test.
struct TestRequest: Sendable {
    var tag: UInt64
    var path = "/echo"
    var body: BodyBytes?
}

/// The part that lives on the loop.
final class ClientProbe: ClientDelegate {
    let observed: Observed<ClientRecord>
    let template: HeaderTemplate
    var connection: ClientConnection?
    private var waiting: [TestRequest] = []

    init(observed: Observed<ClientRecord>, template: HeaderTemplate) {
        self.observed = observed
        self.template = template
    }

    func send(_ requests: [TestRequest]) {
        waiting.append(contentsOf: requests.reversed())
        pump()
    }

    private func pump() {
        guard let connection else { return }
        while connection.capacity > 0, let request = waiting.popLast() {
            let path = Array(request.path.utf8)
            let id = Array("id-\(request.tag)".utf8)
            let isQueued = path.withUnsafeBytes { path in
                id.withUnsafeBytes { id in
                    let extra = ExtraHeader("apns-id", id)
                    return connection.submit(
                        path: path,
                        fixed: template,
                        extra: extra,
                        body: request.body,
                        tag: request.tag
                    )
                }
            }
            if !isQueued { waiting.append(request) }
            observed.update { $0.openStreamsMax = max($0.openStreamsMax, connection.openStreams) }
        }
    }

    func connectionDidOpen() {
        observed.update { $0.isOpen = true }
    }

    func connectionHasCapacity() {
        guard let connection else { return }
        observed.update { record in
            if record.peerLimits.last != connection.peerStreamLimit {
                record.peerLimits.append(connection.peerStreamLimit)
            }
        }
        pump()
    }

    func connectionAnswered(
        _ tag: UInt64,
        status: Int,
        headers: borrowing ResponseHeaders,
        body: UnsafeRawBufferPointer
    ) {
        let answer = ClientRecord.Answer(status: status, apnsID: headers.text(of: "apns-id"), body: [UInt8](body))
        observed.update { $0.answers[tag] = answer }
    }

    func connectionFailed(_ tag: UInt64, _ failure: StreamFailure) {
        observed.update { $0.failures[tag] = failure }
    }

    func connectionDidClose(_ reason: ConnectionEnd) {
        observed.update { $0.end = reason }
        self.connection = nil
    }
}

/// The part that a test uses.
struct TestClient: Sendable {
    let observed = Observed(ClientRecord())
    let loop: EventLoop
    private let key: LoopKey<ClientProbe>

    init(_ configuration: ClientConfiguration, on loop: EventLoop) async {
        let observed = observed
        self.loop = loop
        key = await withCheckedContinuation { continuation in
            loop.execute { context in
                let authority = "\(configuration.host):\(configuration.port)"
                let template = HeaderTemplate(
                    authority: authority,
                    fields: [
                        HeaderField("authorization", "bearer none", isIndexed: false),
                        HeaderField("apns-topic", "app.test"),
                    ]
                )
                let probe = ClientProbe(observed: observed, template: template)
                probe.connection = ClientConnection.open(configuration, in: context, delegate: probe)
                continuation.resume(returning: context.keep(probe))
            }
        }
    }

    func send(_ requests: [TestRequest]) {
        loop.execute { [key] context in context[key]?.send(requests) }
    }

    /// Submits and closes within one wake-up of the loop, before any byte can be sent.
    func sendAndClose(_ requests: [TestRequest]) {
        loop.execute { [key] context in
            context[key]?.send(requests)
            context[key]?.connection?.close()
        }
    }

    func withConnection(_ body: @escaping @Sendable (ClientConnection) -> Void) {
        loop.execute { [key] context in
            guard let connection = context[key]?.connection else { return }
            body(connection)
        }
    }
}
