// The lines of server-sent events; no text of a feed can break them, since JSON escapes every control character.

import NIOCore
import ScoreTypes

/// Writes parts of an event stream.
enum EventText {
    /// Proxies and URLSession buffer the first bytes of an answer; a comment of this size flushes the first event.
    static let paddingByteCount = 2048

    /// The padding, and the time to wait before a reconnect, which is random so that clients do not return at once.
    static func opening(retry: Duration) -> ByteBuffer {
        let padding = String(repeating: " ", count: paddingByteCount)
        return ByteBuffer(string: ":\(padding)\nretry: \(retry.milliseconds)\n\n")
    }

    /// `event:` and `data:` lines of an event that may still get an id.
    static func lines(event: StaticString, data: [UInt8]) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeString("event: \(event)\ndata: ")
        buffer.writeBytes(data)
        buffer.writeString("\n")
        return buffer
    }

    /// `event:` and `data:` lines of an event whose object may still get a member.
    static func opened(event: StaticString, data: [UInt8]) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeString("event: \(event)\ndata: ")
        buffer.writeBytes(data.dropLast())
        return buffer
    }

    /// The end of an opened event, with the revision before it on the connection.
    static func closing(id: String, previous: Int64?) -> ByteBuffer {
        ByteBuffer(string: "\(previous.map { ",\"prev\":\($0)" } ?? "")}\nid: \(id)\n\n")
    }

    /// The id and the end of an event.
    static func ending(id: String) -> ByteBuffer { ByteBuffer(string: "id: \(id)\n\n") }

    /// A whole event that moves no position.
    static func event(_ name: StaticString, _ body: (inout JSONWriter) -> Void) -> ByteBuffer {
        var buffer = lines(event: name, data: JSONWriter.document(body))
        buffer.writeString("\n")
        return buffer
    }

    /// The parts as one chunk of a body (RFC 9112, section 7.1).
    static func chunk(_ parts: [ByteBuffer]) -> ByteBuffer {
        let count = parts.reduce(0) { $0 + $1.readableBytes }
        guard count > 0 else { return ByteBuffer() }
        var chunk = ByteBuffer()
        chunk.reserveCapacity(count + 16)
        chunk.writeString("\(String(count, radix: 16))\r\n")
        for part in parts { chunk.writeImmutableBuffer(part) }
        chunk.writeString("\r\n")
        return chunk
    }

    /// The end of a body in chunks.
    static let lastChunk = ByteBuffer(string: "0\r\n\r\n")

    /// The reason and time of an operator's hold; `held` is false after its release.
    static func held(_ match: MatchID, _ hold: MatchHold?) -> ByteBuffer {
        event("held") { json in
            json.field("matchId", match.text)
            json.field("held", hold != nil)
            json.field("since", ifPresent: hold?.since.rfc3339)
            json.field("reason", ifPresent: hold?.reason)
        }
    }

    /// The time since which no feed reports a match; `stale` is false when one does again.
    static func stale(_ match: MatchID, since: Instant?, now: Instant) -> ByteBuffer {
        event("stale") { json in
            json.field("matchId", match.text)
            json.field("stale", since != nil)
            json.field("feedLagMs", since.map { max(0, (now - $0).milliseconds) } ?? 0)
        }
    }
}
