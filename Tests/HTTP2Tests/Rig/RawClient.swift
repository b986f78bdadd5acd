// A client that exchanges raw bytes over TLS, to act as no HTTP/2 library would.

import COpenSSL
import Glibc
import Testing

@testable import HTTP2

/// A blocking connection to a server on 127.0.0.1, after the TLS handshake.
final class RawClient {
    private let socket: SecureSocket

    /// Connects and completes the handshake.
    ///
    /// - `protocols`: Offered by ALPN, in its encoding; nil sends no ALPN extension.
    init(port: UInt16, trusting pem: [UInt8], offering protocols: [UInt8]? = RawClient.http2) throws {
        let address = try #require(Resolver.literal("127.0.0.1", port: port)?.first)
        let descriptor = Glibc.socket(address.family, Int32(SOCK_STREAM.rawValue), 0)
        let isConnected = address.withPointer { Glibc.connect(descriptor, $0, $1) == 0 }
        try #require(isConnected == true)
        let stream = try TLSStream.client(Self.settings(trusting: pem, protocols), serverName: "127.0.0.1")
        socket = SecureSocket(descriptor: descriptor, stream: stream, scratch: LoopScratch())
        // The first step only writes the client's hello, the next waits for the server's.
        _ = stream.handshake()
        _ = socket.send {}
        switch socket.handshake() {
        case .done: break
        // Our client requires h2; the session exists all the same.
        case .failed(let failure) where failure.description == "the peer did not select h2": break
        default: throw TLSFailure("no handshake")
        }
        _ = socket.send {}
    }

    static let http2 = Array("\u{2}h2".utf8)

    /// Settings of a client that offers these protocols by ALPN; nil for none.
    static func settings(trusting pem: [UInt8], _ protocols: [UInt8]?) throws -> TLSContext {
        let context = try TLSContext.client(.certificates(pem: pem))
        SSL_CTX_set_alpn_protos(context.pointer, protocols, UInt32(protocols?.count ?? 0))
        return context
    }

    /// Sends bytes; false once the server has closed the connection.
    func send(_ bytes: [UInt8]) throws -> Bool {
        if let failure = bytes.withUnsafeBytes({ socket.encrypt($0) }) { throw TLSFailure(failure) }
        guard case .all = socket.send(started: {}) else { return false }
        return true
    }

    /// Reads until the bytes satisfy a condition or the server closes the connection; returns all of them.
    func read(until isEnough: ([UInt8]) -> Bool) -> [UInt8] {
        var seen: [UInt8] = []
        while !isEnough(seen) {
            let outcome = socket.receive { bytes in
                seen += bytes
                return true
            }
            guard case .open = outcome else { return seen }
        }
        return seen
    }
}

/// A frame as a server sent it.
struct SeenFrame {
    let type: UInt8
    let stream: Int
    let payload: [UInt8]

    /// The complete frames of some bytes.
    static func all(in bytes: [UInt8]) -> [SeenFrame] {
        var frames: [SeenFrame] = []
        var rest = bytes[...]
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard rest.count >= 9 + length else { break }
            let stream = head[5...8].reduce(0) { $0 << 8 | Int($1) }
            frames.append(SeenFrame(type: head[3], stream: stream, payload: Array(rest.dropFirst(9).prefix(length))))
            rest = rest.dropFirst(9 + length)
        }
        return frames
    }
}
