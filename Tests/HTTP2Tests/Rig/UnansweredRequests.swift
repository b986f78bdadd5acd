// Requests that a server has not answered yet.

import HTTP2

/// Used on the server's loop only, which makes the unchecked conformance safe.
final class UnansweredRequests: @unchecked Sendable {
    var streams: [ServerStream] = []
    var isFull = false
    var connection: ServerConnection? { streams.first?.connection }

    /// Keeps a stream; returns true once `count` are kept.
    func keep(_ stream: ServerStream, until count: Int) -> Bool {
        streams.append(stream)
        return streams.count == count
    }
}
