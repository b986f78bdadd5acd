// A small HTTP/1.1 server on 127.0.0.1 whose handler writes the answer in parts.

import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Accepts one connection after another on a free port; each has its own thread.
final class LocalServer: Sendable {
    /// One connection with its request.
    struct Connection: Sendable {
        let socket: Int32
        /// The request up to the end of its head, and its body.
        let head: String
        let body: String

        /// Writes a text; false when the client has closed the connection.
        @discardableResult
        func write(_ text: String) -> Bool {
            let bytes = Array(text.utf8)
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Self.flags) }
                if count <= 0 { return false }
                sent += count
            }
            return true
        }

        /// Writes an answer; the connection is closed after it.
        func answer(_ status: String, _ headers: [String] = [], _ body: String = "", length: Int? = nil) {
            let fields = ["Connection: close", "Content-Length: \(length ?? body.utf8.count)"] + headers
            write("HTTP/1.1 \(status)\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n\(body)")
        }

        /// Writes one part of a chunked body.
        func writeChunk(_ text: String) {
            write("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n")
        }

        /// Returns when the client has closed the connection.
        func waitForEnd() {
            var byte: UInt8 = 0
            while recv(socket, &byte, 1, 0) > 0 {}
        }

        #if canImport(Darwin)
            private static let flags: Int32 = 0
        #else
            private static let flags = Int32(MSG_NOSIGNAL)
        #endif
    }

    let port: UInt16
    private let isEnding: Locked<Bool>
    private let hasEnded: DispatchSemaphore

    /// Listens; the handler runs on the thread of the connection, which is closed when it returns.
    init(_ handle: @escaping @Sendable (Connection) -> Void) throws {
        let listener = Self.socket()
        let isListening = Self.withAddress(port: 0) { address, size in
            bind(listener, address, size) == 0 && listen(listener, 16) == 0
        }
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
        port = Self.port(of: listener)
        let (isEnding, hasEnded) = (Locked(false), DispatchSemaphore(value: 0))
        (self.isEnding, self.hasEnded) = (isEnding, hasEnded)
        Thread {
            while true {
                let connection = accept(listener, nil, nil)
                if isEnding.with({ $0 }) {
                    close(connection)
                    break
                }
                Thread { Self.serve(connection, handle) }.start()
            }
            close(listener)
            hasEnded.signal()
        }.start()
    }

    // Only the thread that accepts closes the listener: its number may soon belong to another server, whose connections
    // this thread would take. A connection wakes it.
    deinit {
        isEnding.with { $0 = true }
        let wake = Self.socket()
        Self.withAddress(port: port) { address, size in _ = connect(wake, address, size) }
        hasEnded.wait()
        close(wake)
    }

    private static func socket() -> Int32 {
        #if canImport(Glibc)
            Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #elseif canImport(Musl)
            Musl.socket(AF_INET, SOCK_STREAM, 0)
        #else
            Darwin.socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }

    private static func withAddress<Value>(
        port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
        }
    }

    private static func port(of listener: Int32) -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    var url: URL? { URL(string: "http://127.0.0.1:\(port)") }

    private static func serve(_ socket: Int32, _ handle: (Connection) -> Void) {
        defer { close(socket) }
        var bytes: [UInt8] = []
        while let end = next(socket, &bytes) {
            let head = String(decoding: bytes[..<end], as: UTF8.self)
            let field = head.lowercased().components(separatedBy: "\r\n").first { $0.hasPrefix("content-length:") }
            let length = field.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
            while bytes.count < end + length { if !read(socket, &bytes) { return } }
            let body = String(decoding: bytes[end..<(end + length)], as: UTF8.self)
            return handle(Connection(socket: socket, head: head, body: body))
        }
    }

    /// Reads until the head of a request is complete; returns its length.
    private static func next(_ socket: Int32, _ bytes: inout [UInt8]) -> Int? {
        while true {
            if let range = bytes.firstRange(of: Array("\r\n\r\n".utf8)) { return range.upperBound }
            if !read(socket, &bytes) { return nil }
        }
    }

    private static func read(_ socket: Int32, _ bytes: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(socket, &buffer, buffer.count, 0)
        if count > 0 { bytes += buffer[..<count] }
        return count > 0
    }
}
