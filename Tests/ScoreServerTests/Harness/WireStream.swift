// Reads answers and events from a socket as the bytes arrive.

import MatchJournal
import NIOCore
import Providers
import ScoreTypes

@testable import ScoreServer

/// One event of a stream.
struct WireEvent: Sendable {
    var name = ""
    var id: String?
    var data: JSONValue = .null
}

/// The reading side of a connection.
struct WireStream {
    private var bytes: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var buffer: [UInt8] = []
    private var isChunked = false
    /// Decoded bytes of a chunked body.
    private var content: [UInt8] = []

    /// The first words of the request: its method and its target.
    private let request: [Substring]

    init(bytes: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator, request: [UInt8]) {
        self.bytes = bytes
        let line = request.prefix { $0 != UInt8(ascii: "\r") }
        self.request = String(decoding: line, as: UTF8.self).split(separator: " ")
    }

    /// One whole answer.
    mutating func answer(hasBody: Bool) async throws -> WireAnswer {
        let (status, headers) = try await head()
        guard hasBody, status != 304 else { return WireAnswer(status: status, headers: headers, body: []) }
        if isChunked {
            while try await chunk() {}
            return WireAnswer(status: status, headers: headers, body: content)
        }
        let length = Int(headers["content-length"] ?? "0") ?? 0
        return WireAnswer(status: status, headers: headers, body: try await take(length))
    }

    /// The head of an answer; that of a stream of events is compared with openapi.yaml.
    mutating func head() async throws -> (status: Int, headers: [String: String]) {
        var headers: [String: String] = [:]
        let words = try await line().split(separator: " ")
        guard words.count > 1, let status = Int(words[1]) else { throw WireError.malformed }
        while true {
            let line = try await line()
            if line.isEmpty { break }
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { throw WireError.malformed }
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        isChunked = headers["transfer-encoding"] == "chunked"
        if headers["content-type"]?.hasPrefix("text/event-stream") == true, request.count > 1 {
            let answer = WireAnswer(status: status, headers: headers, body: [])
            ContractChecker.check(String(request[0]), String(request[1]), answer)
        }
        return (status, headers)
    }

    /// The next event; nil at the regular end of the stream.
    ///
    /// Comments and `retry` are skipped.
    mutating func event() async throws -> WireEvent? {
        var event = WireEvent()
        while true {
            guard let line = try await contentLine() else { return nil }
            if line.isEmpty {
                if !event.name.isEmpty { return event }
                continue
            }
            if let value = line.value(of: "event: ") { event.name = value }
            if let value = line.value(of: "id: ") { event.id = value }
            if let value = line.value(of: "data: ") { event.data = try JSONValue(parsing: Array(value.utf8)) }
        }
    }

    /// The next event of a given name.
    mutating func event(_ name: String) async throws -> WireEvent {
        while let event = try await event() { if event.name == name { return event } }
        throw WireError.closed
    }

    private mutating func contentLine() async throws -> String? {
        while true {
            if let end = content.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: content[..<end], as: UTF8.self)
                content.removeFirst(end + 1)
                return line
            }
            guard try await chunk() else { return nil }
        }
    }

    /// Reads one chunk; false at the end.
    private mutating func chunk() async throws -> Bool {
        guard let size = Int(try await line(), radix: 16) else { throw WireError.malformed }
        content += try await take(size)
        _ = try await line()
        return size > 0
    }

    private mutating func line() async throws -> String {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[..<end].filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
                buffer.removeFirst(end + 1)
                return line
            }
            try await more()
        }
    }

    private mutating func take(_ count: Int) async throws -> [UInt8] {
        while buffer.count < count { try await more() }
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }

    private mutating func more() async throws {
        guard let next = try await bytes.next() else { throw WireError.closed }
        buffer += Array(next.readableBytesView)
    }
}

extension String {
    fileprivate func value(of prefix: String) -> String? { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil }
}

extension JSONValue {
    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }
    var string: String? { if case .text(let text) = self { text } else { nil } }
    var int: Int64? { if case .integer(let integer) = self { integer } else { nil } }
    var list: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
}
