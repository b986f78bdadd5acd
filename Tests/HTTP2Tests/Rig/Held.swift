// Requests that a server's handler has not answered yet.

import HTTP2

/// Touched on the server's loop only, which is what makes the unchecked promise true.
final class Held: @unchecked Sendable {
    var streams: [ServerStream] = []
    var isFull = false
    var connection: ServerConnection? { streams.first?.connection }

    /// Keeps a stream; true once `count` are kept.
    func keep(_ stream: ServerStream, until count: Int) -> Bool {
        streams.append(stream)
        return streams.count == count
    }
}
