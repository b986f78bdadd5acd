// One client of a server, confined to the loop: gathers requests and writes answers.

internal import CNghttp2
internal import Glibc

/// A client's connection.
public final class ServerConnection {
    struct Exchange {
        var headers = HeaderBlock()
        var method = ""
        var path = ""
        var body: [UInt8] = []
        var answer: [UInt8] = []
        var sentOfAnswer = 0
    }

    private let wire: Wire
    private let configuration: ServerConfiguration
    private let delegate: any ServerDelegate
    var exchanges: [Int32: Exchange] = [:]
    var onClose: (() -> Void)?

    init(wire: Wire, configuration: ServerConfiguration, delegate: any ServerDelegate) {
        self.wire = wire
        self.configuration = configuration
        self.delegate = delegate
    }

    /// Allows another number of streams from now on.
    public func setMaxConcurrentStreams(_ count: Int) {
        var entry = nghttp2_settings_entry(
            settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue),
            value: UInt32(clamping: count)
        )
        nghttp2_submit_settings(wire.session, UInt8(NGHTTP2_FLAG_NONE.rawValue), &entry, 1)
        wire.needsFlush()
    }

    /// Tells the client to go: streams above `lastStream` were not processed, `debug` says why as APNs does.
    public func goAway(lastStream: Int32, code: UInt32 = 0, debug: String = "") {
        let bytes = Array(debug.utf8)
        nghttp2_submit_goaway(
            wire.session,
            UInt8(NGHTTP2_FLAG_NONE.rawValue),
            lastStream,
            code,
            bytes,
            bytes.count
        )
        wire.needsFlush()
    }

    /// Closes the socket at once, whatever is under way.
    public func close() { wire.close(.closed) }

    func respond(to id: Int32, status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
        guard wire.isOpen, exchanges[id] != nil else { return }
        exchanges[id]?.answer = body
        var text: [UInt8] = Array(":status".utf8) + Array(String(status).utf8)
        var spans = [(name: 7, value: text.count - 7)]
        for header in headers {
            text.append(contentsOf: header.name.utf8)
            text.append(contentsOf: header.value.utf8)
            spans.append((header.name.utf8.count, header.value.utf8.count))
        }
        text.withUnsafeMutableBufferPointer { text in
            var next = text.baseAddress
            var pairs: [nghttp2_nv] = []
            for (index, span) in spans.enumerated() {
                // The id of each request is new; in the table it would only push out what is not.
                let flags = index > 0 ? UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) : 0
                let value = next.map { $0 + span.name }
                pairs.append(
                    nghttp2_nv(name: next, value: value, namelen: span.name, valuelen: span.value, flags: flags)
                )
                next = value.map { $0 + span.value }
            }
            var provider = nghttp2_data_provider(source: nghttp2_data_source(fd: 0), read_callback: Self.readAnswer)
            if body.isEmpty {
                nghttp2_submit_response(wire.session, id, &pairs, pairs.count, nil)
            } else {
                nghttp2_submit_response(wire.session, id, &pairs, pairs.count, &provider)
            }
        }
        wire.needsFlush()
    }

    func reset(_ id: Int32, code: UInt32) {
        nghttp2_submit_rst_stream(wire.session, UInt8(NGHTTP2_FLAG_NONE.rawValue), id, code)
        wire.needsFlush()
    }

    private static let readAnswer: nghttp2_data_source_read_callback = { _, id, buffer, length, flags, _, user in
        guard let connection = ServerConnection.from(user), let exchange = connection.exchanges[id], let buffer else {
            return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        }
        let left = exchange.answer.count - exchange.sentOfAnswer
        let count = min(left, length)
        exchange.answer.withUnsafeBufferPointer { answer in
            if let base = answer.baseAddress { buffer.update(from: base + exchange.sentOfAnswer, count: count) }
        }
        connection.exchanges[id]?.sentOfAnswer += count
        if count == left { flags?.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue) }
        return count
    }

    static func from(_ user: UnsafeMutableRawPointer?) -> ServerConnection? {
        user.map { Unmanaged<ServerConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    func take(_ id: Int32, chunk: UnsafeBufferPointer<UInt8>) {
        guard let count = exchanges[id]?.body.count else { return }
        guard count + chunk.count <= configuration.bodyBytesMax else {
            exchanges[id] = nil
            return reset(id, code: UInt32(NGHTTP2_CANCEL.rawValue))
        }
        exchanges[id]?.body.append(contentsOf: chunk)
    }

    func complete(_ id: Int32) {
        guard let exchange = exchanges[id] else { return }
        exchanges[id]?.body = []
        delegate.server(
            didReceive: ServerRequest(
                method: exchange.method,
                path: exchange.path,
                headers: exchange.headers,
                body: exchange.body,
                stream: ServerStream(self, id: id)
            )
        )
    }
}

extension ServerConnection: WireOwner {
    func wireDidOpen() {
        wire.session = makeSession(maxConcurrentStreams: configuration.maxConcurrentStreams)
        delegate.server(didOpen: self)
    }

    func wireDidReceive() {}

    func wireDidClose(_ reason: ConnectionEnd) {
        exchanges = [:]
        delegate.server(didClose: self)
        onClose?()
        onClose = nil
    }
}
