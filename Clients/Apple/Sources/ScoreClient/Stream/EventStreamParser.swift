// Server-sent events are split at any byte by the network; the parser is a value that keeps the rest.

/// One event of a stream.
public struct ServerSentEvent: Sendable, Hashable {
    /// The name; `message` when the stream gave none.
    public var name: String
    /// The lines of data, joined by line feeds.
    public var data: String
    /// The last id of the stream at this event; empty for none.
    public var id: String
}

/// The parser of `text/event-stream` (HTML standard, 9.2.6) with bounded lines and events.
public struct EventStreamParser: Sendable {
    /// A stream that exceeds a bound; the connection has to be closed.
    public enum Failure: Error, Sendable, Hashable { case lineTooLong, eventTooLong }

    /// The id of the newest event, for `Last-Event-ID`; survives events without an id.
    public private(set) var lastEventID: String
    /// The time before a reconnect that the stream has set; nil for none.
    public private(set) var retry: Duration?

    private var line: [UInt8] = []
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var nextID: String
    private var endsWithReturn = false
    private var isAtStart = true

    /// Begins a stream; `lastEventID` is that of the previous connection.
    public init(lastEventID: String = "") {
        self.lastEventID = lastEventID
        nextID = lastEventID
    }

    /// Reads bytes; returns the events that they complete.
    ///
    /// - Throws: `Failure` when a line or the data of an event exceeds its bound.
    public mutating func read(_ bytes: some Sequence<UInt8>) throws(Failure) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            let followsReturn = endsWithReturn
            endsWithReturn = byte == 13
            switch byte {
            case 10 where followsReturn: continue
            case 10, 13:
                if let event = try endLine() { events.append(event) }
            default:
                line.append(byte)
                if line.count > ClientLimits.eventLineBytes { throw .lineTooLong }
            }
        }
        return events
    }

    private mutating func endLine() throws(Failure) -> ServerSentEvent? {
        var bytes = line[...]
        line.removeAll(keepingCapacity: true)
        if isAtStart {
            isAtStart = false
            if bytes.starts(with: [0xef, 0xbb, 0xbf]) { bytes = bytes.dropFirst(3) }
        }
        if bytes.isEmpty { return endEvent() }
        let colon = bytes.firstIndex(of: 58)
        if colon == bytes.startIndex { return nil }
        let field = String(decoding: bytes[..<(colon ?? bytes.endIndex)], as: UTF8.self)
        var value = colon.map { bytes[($0 + 1)...] } ?? []
        if value.first == 32 { value = value.dropFirst() }
        try take(field, value)
        return nil
    }

    private mutating func take(_ field: String, _ value: ArraySlice<UInt8>) throws(Failure) {
        switch field {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "data":
            if hasData { data.append(10) }
            hasData = true
            data += value
            if data.count > ClientLimits.eventBytes { throw .eventTooLong }
        case "id":
            if !value.contains(0), value.count <= ClientLimits.eventIDBytes {
                nextID = String(decoding: value, as: UTF8.self)
            }
        case "retry":
            let text = String(decoding: value, as: UTF8.self)
            if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }), let milliseconds = Int64(text) {
                retry = .milliseconds(milliseconds)
            }
        default: break
        }
    }

    private mutating func endEvent() -> ServerSentEvent? {
        defer {
            name = ""
            data.removeAll(keepingCapacity: true)
            hasData = false
        }
        lastEventID = nextID
        guard hasData else { return nil }
        return ServerSentEvent(
            name: name.isEmpty ? "message" : name,
            data: String(decoding: data, as: UTF8.self),
            id: lastEventID
        )
    }
}
