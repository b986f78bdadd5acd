// The parts of one answer between the delegate of the session and the task that reads them.

internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// One answer as it arrives.
// A task of URLSession is safe to use from any thread; the lock guards everything else.
final class IncomingAnswer: ByteStream, @unchecked Sendable {
    /// The head of an answer.
    struct Head: Sendable {
        var status: Int
        var headers: [String: String]
    }

    private enum End {
        case complete
        case failed(TransportError)
    }

    private let task: URLSessionTask
    private let lock = NSLock()
    private var answerHead: Head?
    private var buffer: [UInt8] = []
    private var end: End?
    private var isSuspended = false
    private var waiting: CheckedContinuation<Void, Never>?

    init(_ task: URLSessionTask) { self.task = task }

    /// Waits for the head of the answer.
    ///
    /// - Throws: `TransportError` when the transfer ends without one.
    func head() async throws(TransportError) -> Head {
        while true {
            let (head, end) = lock.withLock { (answerHead, self.end) }
            if let head { return head }
            switch end {
            case .failed(let error)?: throw error
            case .complete?: throw .interrupted
            case nil: try await change { $0.answerHead != nil }
            }
        }
    }

    /// The next bytes; nil at the end.
    ///
    /// - Throws: `TransportError` when the connection fails.
    func next() async throws(TransportError) -> [UInt8]? {
        while true {
            let (bytes, end) = lock.withLock { take() }
            if !bytes.isEmpty { return bytes }
            switch end {
            case .failed(let error)?: throw error
            case .complete?: return nil
            case nil: try await change { !$0.buffer.isEmpty }
            }
        }
    }

    /// Closes the connection.
    ///
    /// The end is noted first, since Foundation on Linux may report the connection as cut.
    func cancel() {
        ended(CancellationError())
        task.cancel()
    }

    private func take() -> ([UInt8], End?) {
        let bytes = buffer
        buffer = []
        if isSuspended {
            isSuspended = false
            task.resume()
        }
        return (bytes, end)
    }

    /// Waits until a condition holds or the transfer ends.
    private func change(_ isReady: @escaping @Sendable (IncomingAnswer) -> Bool) async throws(TransportError) {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = lock.withLock {
                    if isReady(self) || end != nil { return true }
                    waiting = continuation
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            cancel()
        }
        if Task.isCancelled { throw .cancelled }
    }

    func received(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name.lowercased()] = value }
        }
        change { $0.answerHead = Head(status: response.statusCode, headers: headers) }
    }

    func received(_ data: Data) {
        change { transfer in
            transfer.buffer += data
            guard transfer.buffer.count > ClientLimits.bufferedStreamBytes, !transfer.isSuspended else { return }
            transfer.isSuspended = true
            transfer.task.suspend()
        }
    }

    func ended(_ error: (any Error)?) {
        change { transfer in
            guard transfer.end == nil else { return }
            transfer.end = error.map { .failed(Self.meaning(of: $0)) } ?? .complete
        }
    }

    private func change(_ body: (IncomingAnswer) -> Void) {
        let continuation = lock.withLock {
            body(self)
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume()
    }

    private static func meaning(of error: any Error) -> TransportError {
        if error is CancellationError { return .cancelled }
        switch (error as? URLError)?.code {
        case .cancelled: return .cancelled
        case .timedOut: return .timedOut
        // Foundation on Linux reports an answer that is cut as unknown.
        case .networkConnectionLost, .badServerResponse, .cannotParseResponse, .unknown: return .interrupted
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .appTransportSecurityRequiresSecureConnection:
            return .insecure
        case .badURL, .unsupportedURL: return .invalidRequest
        default: return .offline
        }
    }
}
