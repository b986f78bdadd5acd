// Everything that can be chosen for a client connection, with the values that suit APNs as defaults.

/// Where to connect, how to be sure who answers, and how long to wait for what.
public struct ClientConfiguration: Sendable {
    /// Host name or IP address to connect to.
    public var host: String
    /// TCP port.
    public var port: UInt16
    /// Whom to trust and expect.
    public var tls: TLSClientConfiguration
    /// Longest time from `open` to the peer's SETTINGS, name resolution included.
    public var connectTimeout: Duration = .seconds(5)
    /// Longest time from `submit` to the end of the answer; then the stream is reset with CANCEL.
    public var requestTimeout: Duration = .seconds(8)
    /// A PING is sent after this long without a byte from the peer while no stream is open.
    public var pingAfterIdle: Duration = .seconds(3600)
    /// A PING is sent after this long without a byte from the peer while streams are open.
    public var pingAfterSilence: Duration = .seconds(3)
    /// The connection counts as dead when nothing at all came for this long after a PING.
    public var pingTimeout: Duration = .seconds(4)
    /// Our own limit of streams open at once; the peer's SETTINGS may only lower it.
    public var streamsMax: Int = 1000
    /// Which of the host's addresses to try first, modulo their number: spreads connections over them.
    public var addressOffset: Int = 0

    /// Largest answer body that is kept, in bytes; what comes beyond it is dropped (APNs answers are under 1 KB).
    public static let responseBodyMax = 65_536
    /// Largest header block of an answer, in bytes; a larger one resets the stream.
    public static let responseHeadersMax = 16_384

    /// Names the peer; all else can be changed afterwards.
    public init(host: String, port: UInt16, tls: TLSClientConfiguration) {
        self.host = host
        self.port = port
        self.tls = tls
    }
}
