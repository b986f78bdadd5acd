// Requests whose length a proxy and a server could read differently; a part of one could then pass as another request.

import Foundation
import Testing

/// Malformed requests that contain a second one, for a path that no proxy forwards.
enum RefusedForms {
    private static let second = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
    private static let chunked = "0\r\n\r\n" + second

    /// The forms with their names.
    static func all(host: String) -> [(name: String, bytes: [UInt8])] {
        let post = "POST /v1/devices HTTP/1.1\r\nHost: \(host)\r\nContent-Type: application/json\r\n"
        let length = "Content-Length: \(chunked.utf8.count)\r\n"
        let forms: KeyValuePairs = [
            "length and chunks": post + length + "Transfer-Encoding: chunked\r\n\r\n" + chunked,
            "unknown coding": post + length + "Transfer-Encoding: xchunked\r\n\r\n" + chunked,
            "identity": post + length + "Transfer-Encoding: identity\r\n\r\n" + chunked,
            "chunked is not last": post + "Transfer-Encoding: chunked, identity\r\n\r\n" + chunked,
            "two codings": post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n" + chunked,
            "space before the colon": post + length + "Transfer-Encoding : chunked\r\n\r\n" + chunked,
            "vertical tab": post + length + "Transfer-Encoding: \u{0b}chunked\r\n\r\n" + chunked,
            "two lengths": post + "Content-Length: 0\r\nContent-Length: \(second.utf8.count)\r\n\r\n" + second,
            "a list of lengths": post + "Content-Length: 0, \(second.utf8.count)\r\n\r\n" + second,
            "a signed length": post + "Content-Length: +0\r\n\r\n" + second,
            "a negative length": post + "Content-Length: -1\r\n\r\n" + second,
            "a length in hexadecimal": post + "Content-Length: 0x0\r\n\r\n" + second,
            "a length beyond 64 bits": post + "Content-Length: 18446744073709551616\r\n\r\n" + second,
            "an empty length": post + "Content-Length: \r\n\r\n" + second,
            "a chunk beyond 64 bits": post + "Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n\r\n" + chunked,
            "a chunk with a prefix": post + "Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n" + second,
            "an underscore": post + length + "Transfer_Encoding: chunked\r\n\r\n" + chunked,
            "a bare carriage return": post + "X: a\rTransfer-Encoding: chunked\r\n" + length + "\r\n" + chunked,
            "a zero byte": post + "X: a\u{0}b\r\nContent-Length: 0\r\n\r\n" + second,
            "two hosts": "GET /v1/problems HTTP/1.1\r\nHost: \(host)\r\nHost: x\r\n\r\n",
            "a target with a space": "GET /v1/problems /smuggled HTTP/1.1\r\nHost: \(host)\r\n\r\n",
        ]
        return forms.map { ($0.key, Array($0.value.utf8)) }
    }
}

/// One connection of bytes.
enum RawExchange {
    /// The statuses of all answers to some bytes, until the peer closes or is silent for a second.
    static func statuses(of bytes: [UInt8], port: Int) throws -> [Int] {
        let connection = try open(port)
        defer { close(connection) }
        var silence = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &silence, socklen_t(MemoryLayout<timeval>.size))
        try #require(send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
        var (answer, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while true {
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            answer += chunk[..<count]
        }
        return String(decoding: answer, as: UTF8.self).matches(of: #/HTTP\/1\.[01] (\d{3})/#).compactMap { Int($0.1) }
    }

    /// The descriptor of a new connection, which the caller closes.
    static func open(_ port: Int) throws -> Int32 {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                connect(connection, generic, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if !isConnected { close(connection) }
        try #require(isConnected)
        return connection
    }
}
