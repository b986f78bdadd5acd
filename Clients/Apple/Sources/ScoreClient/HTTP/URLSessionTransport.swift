// The network of the system: one session whose delegate hands each part of an answer to its reader.

public import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Sends requests by `URLSession`.
public final class URLSessionTransport: ClientTransport {
    private let base: URL
    private let session: URLSession
    private let transfers: TransferTable

    /// Makes a transport for a server.
    ///
    /// - Parameter base: The address of the server, without a path.
    public init(base: URL) {
        self.base = base
        let configuration = URLSessionConfiguration.ephemeral
        // The client caches by tag itself, and a stream is silent for longer than a request may be.
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = 120
        transfers = TransferTable()
        session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    /// Sends a request and waits for the whole answer.
    ///
    /// - Throws: `TransportError` when there is no complete answer.
    public func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
        let response = try await open(request)
        var body = Data()
        while let bytes = try await response.body.next() {
            body.append(contentsOf: bytes)
            guard body.count <= ClientLimits.answerBytes else {
                response.body.cancel()
                throw .tooLarge
            }
        }
        return ClientResponse(status: response.status, headers: response.headers, body: body)
    }

    /// Sends a request and returns when the head of the answer has arrived.
    ///
    /// - Throws: `TransportError` when there is no answer.
    public func open(_ request: ClientRequest) async throws(TransportError) -> StreamingResponse {
        guard let url = url(of: request) else { throw .invalidRequest }
        var message = URLRequest(url: url)
        message.httpMethod = request.method.rawValue
        message.httpBody = request.body
        for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
        let task = session.dataTask(with: message)
        let transfer = IncomingAnswer(task)
        transfers.add(transfer, of: task)
        task.resume()
        let head = try await transfer.head()
        return StreamingResponse(status: head.status, headers: head.headers, body: transfer)
    }

    private func url(of request: ClientRequest) -> URL? {
        var parts = URLComponents(url: base, resolvingAgainstBaseURL: false)
        parts?.percentEncodedPath = request.path
        parts?.queryItems = request.query.isEmpty ? nil : request.query
        return parts?.url
    }
}

/// The running transfers by the number of their task.
// A delegate inherits NSObject, which is not Sendable; the lock guards its only state.
private final class TransferTable: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var transfers: [Int: IncomingAnswer] = [:]

    func add(_ transfer: IncomingAnswer, of task: URLSessionTask) {
        lock.withLock { transfers[task.taskIdentifier] = transfer }
    }

    private func transfer(_ task: URLSessionTask) -> IncomingAnswer? {
        lock.withLock { transfers[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        transfer(dataTask)?.received(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer(dataTask)?.received(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let transfer = lock.withLock { transfers.removeValue(forKey: task.taskIdentifier) }
        transfer?.ended(error)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The API has no redirects; the credential must not follow one to another host.
        completionHandler(nil)
    }
}
