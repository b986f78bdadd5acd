// Every bound of this target in one place: value, unit, reason, and what happens when it is reached.

/// The bounds of HTTP/2 clients, servers and their event loops.
public enum HTTP2Limits {
    // MARK: Event loop

    /// Pieces of work that wait for one loop: a bound on memory when the loop is slower than its callers.
    ///
    /// Further work is refused.
    public static let loopWorkWaiting = 65_536
    /// Timers set on one loop: a few for each of some thousand connections.
    ///
    /// A further timer is refused.
    static let loopTimers = 65_536
    /// Cancelled timers in the heap before it is compacted, if they are also more than half of it.
    static let loopTimersUncompacted = 64
    /// Readiness events taken from the kernel in one call; the rest follows in the next call.
    static let loopEventsPerWakeUp = 256
    /// Longest sleep of a loop without a timer, in milliseconds: a safety net, since every wake-up has a descriptor.
    static let loopSleepMilliseconds: Int64 = 60_000
    /// Bytes read from a socket at once: four TLS records, so that a busy peer costs few system calls.
    static let cipherBytes = 65_536
    /// Bytes decrypted at once: the content of one TLS record, the most that `SSL_read` returns.
    static let plainBytes = 16_384
    /// Bytes of output collected before they are encrypted and sent.
    ///
    /// 16 KB cost 70 % more a request; more than 128 KB gained nothing.
    static let stagingBytes = 131_072
    /// Bytes of output after which no further frame is collected: one more frame of the largest size fits behind it.
    static let batchBytes = stagingBytes - 17_000
    /// Sets of trusted authorities cached on a loop; a further one empties the cache.
    static let trustedContexts = 16
    /// Host names resolved at once in the process: a broken resolver must not pile up threads.
    ///
    /// A further one fails.
    static let resolutions = 16

    // MARK: Sockets and memory

    /// Reads from one socket in one wake-up; the other connections come next.
    static let readsPerWakeUp = 4
    /// Bytes of encrypted output that an idle connection keeps: a flush needs 128 KB and the overhead of TLS.
    static let idleOutputBytes = 2 * stagingBytes
    /// Size classes of a session's memory blocks differ by this many bytes.
    static let blockStepBytes = 64
    /// Largest block that a session's own memory serves, in bytes with its header; larger ones come from `malloc`,
    /// since they live as long as the session.
    static let blockBytes = 1024
    /// Bytes that a session's memory takes from the system at a time.
    static let chunkBytes = 32_768

    // MARK: Client

    /// Time from `open` to the peer's SETTINGS, name resolution included; then the connection fails.
    static let connectTimeout = Duration.seconds(5)
    /// Time from `submit` to the end of the response; then the stream is reset with CANCEL.
    static let requestTimeout = Duration.seconds(8)
    /// Time without a byte from the peer after which a PING is sent while no stream is open.
    static let pingAfterIdle = Duration.seconds(3600)
    /// Time without a byte from the peer after which a PING is sent while streams are open.
    static let pingAfterSilence = Duration.seconds(3)
    /// Time without a byte from the peer after a PING; then the connection is closed as dead.
    static let pingTimeout = Duration.seconds(4)
    /// Shortest time between two checks for silence, whatever the configured times are.
    static let heartbeatInterval = Duration.milliseconds(10)
    /// Streams that a client opens at once; the peer's SETTINGS may lower it.
    ///
    /// Further requests are refused.
    static let clientStreams = 1000
    /// Bytes of a response body that are kept (APNs sends less than 1 KB); the rest is dropped.
    static let responseBodyBytes = 65_536
    /// Bytes of a response's header block; a larger one resets the stream.
    static let responseHeaderBytes = 16_384
    /// Bytes that the peer may send ahead on all streams together: enough never to delay small responses.
    static let clientWindowBytes = 1_048_576
    /// Bytes of a GOAWAY's debug data that are kept; APNs sends a short JSON object.
    ///
    /// The rest is dropped.
    static let debugDataBytes = 256

    // MARK: Server

    /// Streams that a client may open at once; further ones are refused.
    static let serverStreams = 1000
    /// Bytes that a client may send ahead on one stream; it has to wait for WINDOW_UPDATE.
    static let streamWindowBytes = 65_535
    /// Bytes that a client may send ahead on all streams; it has to wait for WINDOW_UPDATE.
    static let serverWindowBytes = 1_048_576
    /// Bytes of a request's header block; a larger one resets the stream.
    static let requestHeaderBytes = 16_384
    /// Bytes of a request body that are kept; a longer body is delivered truncated.
    static let requestBodyBytes = 65_536
    /// Connections to one server at once; further ones are closed as soon as they are accepted.
    static let serverConnections = 4096
    /// Time from TCP to the end of the TLS handshake; then the connection is closed.
    static let handshakeTimeout = Duration.seconds(10)
    /// Time without a byte from the client; then the connection is closed.
    static let idleTimeout = Duration.seconds(7200)
    /// Connections that wait for `accept` in the kernel, which is the usual maximum; the kernel drops further ones.
    static let backlog: Int32 = 4096
    /// Connections accepted in one wake-up; the rest follows in the next one.
    static let acceptsPerWakeUp = 64
    /// Stream resets that a client may send in a burst; beyond it ("rapid reset" floods) the connection is closed.
    static let resetBurst: UInt64 = 10_000
    /// Stream resets a second that refill the burst.
    static let resetsPerSecond: UInt64 = 1000
    /// Bytes of memory that a slot for requests keeps between two requests, for headers and for body.
    static let idleRequestBytes = 16_384
    /// Bytes of a frame's payload that a sink accepts: it announces no larger size.
    ///
    /// A larger frame ends the connection.
    static let framePayloadBytes = 16_384
    /// Bytes of responses that wait for a sink's client that does not read them: a hundred thousand responses.
    ///
    /// Then the connection is closed.
    static let sinkResponseBytes = 1_048_576
}
