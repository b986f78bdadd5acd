// Every bound of this target in one place: value, unit, reason, and what happens when it is reached.

/// The bounds of HTTP transfers; all durations are real time.
public enum TransferLimits {
    // MARK: One transfer

    /// Time of a transfer from start to the last byte, unless given: a slower reply is useless for a live score.
    ///
    /// The transfer then fails with `deadline`.
    public static let deadline = Duration.seconds(8)
    /// Bytes of a reply after decompression, unless given: ten times the largest match on record.
    ///
    /// A longer reply fails with `tooLarge`.
    public static let bodyBytes = 4 * 1024 * 1024
    /// Time to connect, within the deadline; then the transfer fails.
    static let connectTime = Duration.seconds(5)
    /// Time without a byte of a stream, whose server sends a heartbeat every 15 s; then the stream fails.
    static let streamSilence = Duration.seconds(60)
    /// Bytes of the header block of a reply; real ones have less than 4 KiB.
    ///
    /// A longer one fails with `tooLarge`.
    static let headerBlockBytes = 64 * 1024
    /// Bytes of a stream that wait for a slow reader, some seconds of a live stream; then the connection is paused.
    static let streamBufferBytes = 256 * 1024
    /// Seconds of a Retry-After header; a longer wait counts as this.
    static let retryAfterSeconds: Int64 = 86_400

    // MARK: The request

    /// Bytes of an address; a longer one is refused.
    static let addressBytes = 4_096
    /// Bytes of a request's body; a longer one is refused.
    static let requestBodyBytes = 1024 * 1024
    /// Headers of a request; further ones are refused.
    static let requestHeaders = 64

    // MARK: The driver

    /// Transfers in progress or waiting for a connection, unless given; a further one fails with `tooMany`.
    public static let transfers = 1_024
    /// Connections to one host, unless given; a further transfer waits within its deadline.
    public static let connectionsPerHost = 16
    /// Idle connections kept open, unless given; the one unused for longest is closed.
    public static let idleConnections = 32
    /// Longest sleep of the driver's thread in milliseconds; libcurl shortens it by its own timers.
    static let sleepMilliseconds: Int32 = 1_000
}
