// The settings of a client connection, with defaults that suit APNs.

/// Address, trust and timeouts of a client connection.
public struct ClientConfiguration: Sendable {
    /// Host name or IP address to connect to.
    public var host: String
    /// TCP port.
    public var port: UInt16
    /// Trusted authorities and the expected server name.
    public var tls: TLSClientConfiguration
    /// Time from `open` to the peer's SETTINGS, name resolution included; then the connection fails.
    public var connectTimeout: Duration = HTTP2Limits.connectTimeout
    /// Time from `submit` to the end of the response; then the stream is reset with CANCEL.
    public var requestTimeout: Duration = HTTP2Limits.requestTimeout
    /// Time without a byte from the peer after which a PING is sent while no stream is open.
    public var pingAfterIdle: Duration = HTTP2Limits.pingAfterIdle
    /// Time without a byte from the peer after which a PING is sent while streams are open.
    public var pingAfterSilence: Duration = HTTP2Limits.pingAfterSilence
    /// Time without a byte from the peer after a PING; then the connection is closed as dead.
    public var pingTimeout: Duration = HTTP2Limits.pingTimeout
    /// Streams open at once; the peer's SETTINGS may lower it.
    public var streamsMax: Int = HTTP2Limits.clientStreams
    /// Index of the host's address to try first, modulo their number; spreads connections over the addresses.
    public var addressOffset: Int = 0

    /// Makes a configuration with the default values.
    ///
    /// - Parameters:
    ///   - host: Host name or IP address.
    ///   - port: TCP port.
    ///   - tls: Trusted authorities and the expected server name.
    public init(host: String, port: UInt16, tls: TLSClientConfiguration) {
        self.host = host
        self.port = port
        self.tls = tls
    }
}
