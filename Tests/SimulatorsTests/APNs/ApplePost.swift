// A client of the simulator: one request, and its answer.

import Foundation
import HTTP2
import ScoreTypes
import Synchronization

/// An answer of the simulated Apple.
struct AppleAnswer: Sendable, Equatable {
    var status = 0
    var headers: [String: String] = [:]
    var body = ""
    var failure: StreamFailure?
    /// The stream limit that the connection had after the answer.
    var streamLimit = 0

    var reason: String? {
        let object = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
        return object?["reason"] as? String
    }
}

/// A request of a test.
struct AppleRequest: Sendable {
    var method = "POST"
    var path: String
    var headers: [(name: String, value: String)]
    var body: [UInt8] = []

    /// Replaces a field, adds it, or with nil removes it.
    func with(_ name: String, _ value: String?) -> AppleRequest {
        var changed = self
        changed.headers.removeAll { $0.name == name }
        if let value { changed.headers.append((name, value)) }
        return changed
    }

    func body(_ text: String) -> AppleRequest {
        var changed = self
        changed.body = Array(text.utf8)
        return changed
    }

    func path(_ text: String) -> AppleRequest {
        var changed = self
        changed.path = text
        return changed
    }
}

/// One connection to a simulator.
final class ApplePost: Sendable {
    private let loop: EventLoop
    private let key: LoopKey<PostDelegate>

    init(port: Int, certificate: [UInt8], on loop: EventLoop) async {
        self.loop = loop
        let tls = TLSClientConfiguration(trust: .certificates(pem: certificate), serverName: "127.0.0.1")
        let configuration = ClientConfiguration(host: "127.0.0.1", port: UInt16(clamping: port), tls: tls)
        key = await withCheckedContinuation { continuation in
            loop.execute { context in
                let delegate = PostDelegate()
                delegate.connection = ClientConnection.open(configuration, in: context, delegate: delegate)
                continuation.resume(returning: context.keep(delegate))
            }
        }
    }

    /// Sends one request and waits for its outcome.
    func send(_ request: AppleRequest) async -> AppleAnswer {
        await withCheckedContinuation { continuation in
            let isAccepted = loop.execute { [key] context in
                guard let delegate = context[key] else {
                    return continuation.resume(returning: AppleAnswer(failure: .refused))
                }
                delegate.send(request) { continuation.resume(returning: $0) }
            }
            if !isAccepted { continuation.resume(returning: AppleAnswer(failure: .refused)) }
        }
    }
}

/// The loop-confined half.
final class PostDelegate: ClientDelegate {
    var connection: ClientConnection?
    private var waiting: [(request: AppleRequest, done: (AppleAnswer) -> Void)] = []
    private var open: [UInt64: (AppleAnswer) -> Void] = [:]
    private var tag: UInt64 = 0

    func send(_ request: AppleRequest, _ done: @escaping (AppleAnswer) -> Void) {
        guard connection != nil else { return done(AppleAnswer(failure: .refused)) }
        waiting.append((request, done))
        pump()
    }

    private func pump() {
        while let connection, connection.capacity > 0, !waiting.isEmpty {
            let (request, done) = waiting.removeFirst()
            tag += 1
            open[tag] = done
            let fields = request.headers.map { HeaderField($0.name, $0.value) }
            let template = HeaderTemplate(method: request.method, authority: "localhost", fields: fields)
            let isQueued = Array(request.path.utf8).withUnsafeBytes { path in
                connection.submit(
                    path: path,
                    fixed: template,
                    body: request.body.isEmpty ? nil : BodyBytes(request.body),
                    tag: tag
                )
            }
            if !isQueued { open.removeValue(forKey: tag)?(AppleAnswer(failure: .refused)) }
        }
    }

    func connectionDidOpen() {}
    func connectionHasCapacity() { pump() }

    func connectionAnswered(
        _ tag: UInt64,
        status: Int,
        headers: borrowing ResponseHeaders,
        body: UnsafeRawBufferPointer
    ) {
        var answer = AppleAnswer(status: status, body: String(decoding: body, as: UTF8.self))
        answer.streamLimit = connection?.peerStreamLimit ?? 0
        var fields: [String: String] = [:]
        headers.forEach { name, value in
            fields[String(decoding: name, as: UTF8.self)] = String(decoding: value, as: UTF8.self)
        }
        answer.headers = fields
        open.removeValue(forKey: tag)?(answer)
    }

    func connectionFailed(_ tag: UInt64, _ failure: StreamFailure) {
        open.removeValue(forKey: tag)?(AppleAnswer(failure: failure))
    }

    func connectionDidClose(_ reason: ConnectionEnd) {
        self.connection = nil
        for (_, done) in waiting { done(AppleAnswer(failure: .refused)) }
        waiting = []
    }
}
