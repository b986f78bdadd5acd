// An entry is one line of JSON and packed bytes after it: programs read the entry, and people the line.

internal import Foundation
internal import MatchEngine
internal import MatchJournal
internal import Providers
internal import ScoreTypes

/// One entry of a capture file.
struct CaptureRecord: Sendable, Hashable {
    /// The line.
    struct Head: Sendable, Hashable, Codable {
        enum Kind: String, Codable, Sendable {
            case opened, reply, unchanged, seconded, tick, overrides, word, removed, session, unreadable, aliases
            /// Repeated from earlier files: the parts of a match, and the state of its writer.
            case parts, state
        }

        struct Part: Sendable, Hashable, Codable {
            let name: ReplyPart
            let bytes: Int
        }

        let kind: Kind
        /// When the process began, in milliseconds since 1970, and its count of entries.
        var run: Int64 = 0
        var number: Int64 = 0
        let feed: FeedID
        var provider = ""
        var sourceFeed = ""
        var match: MatchID?
        var id: ProviderMatchID?
        /// Microseconds by the monotonic clock, milliseconds by the wall clock.
        var at: Int64 = 0
        let wall: Int64
        /// Whether a reply has all its parts; false for other entries.
        var isWhole = false
        var reason: String?
        /// The epoch of the resync that requested a reply; nil for other entries.
        var resyncEpoch: String?
        var parts: [Part] = []
        /// Bytes that follow the line.
        var packed = 0
    }

    var head: Head
    /// The bodies of `head.parts`, one after the other.
    let payload: [UInt8]

    /// The bytes of the entry; nil when they cannot be packed.
    func encoded() -> [UInt8]? {
        var head = head
        var packed: [UInt8] = []
        if !payload.isEmpty {
            guard let small = Compression.pack(payload) else { return nil }
            packed = small
        }
        head.packed = packed.count
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let line = try? encoder.encode(head) else { return nil }
        return Array(line) + [UInt8(ascii: "\n")] + packed + [UInt8(ascii: "\n")]
    }

    /// The entry at a position in its process's entries; an entry of the basis takes the position of the next entry.
    func placed(run: Int64, number: Int64) -> CaptureRecord {
        var placed = self
        placed.head.run = run
        placed.head.number = number
        return placed
    }

    /// The bodies by their names.
    var replies: ProviderReplies {
        var replies = ProviderReplies()
        var start = 0
        for part in head.parts where part.bytes >= 0 && part.bytes <= payload.count - start {
            replies[part.name] = Array(payload[start..<start + part.bytes])
            start += part.bytes
        }
        return replies
    }
}

extension CaptureRecord {
    /// An entry with bodies; `clean` removes secrets.
    init(_ head: Head, parts: ProviderReplies, clean: ([UInt8]) -> [UInt8] = { $0 }) {
        var head = head
        var payload: [UInt8] = []
        for name in parts.parts {
            let body = clean(parts[name] ?? [])
            head.parts.append(Head.Part(name: name, bytes: body.count))
            payload += body
        }
        self.init(head: head, payload: payload)
    }

    /// An entry of a writer's event.
    init(_ event: CaptureEvent, clean: ([UInt8]) -> [UInt8]) {
        func head(_ kind: Head.Kind, _ source: JournalSource? = nil) -> Head {
            var head = Head(kind: kind, feed: event.feed, wall: event.wall.milliseconds)
            head.match = event.match
            head.at = event.at.microseconds
            head.provider = source?.provider ?? ""
            head.sourceFeed = source?.feed ?? ""
            return head
        }
        guard case .event(let what) = event.kind else {
            self.init(head: head(.opened), payload: [])
            return
        }
        switch what {
        case .time: self.init(head: head(.tick), payload: [])
        case .unchanged(let source): self.init(head: head(.unchanged, source), payload: [])
        case .reply(let reply):
            var head = head(.reply, reply.source)
            head.id = reply.raw?.id
            head.isWhole = reply.raw?.isWhole ?? false
            head.resyncEpoch = reply.resyncEpoch?.text
            self.init(head, parts: ProviderReplies(reply.raw?.parts ?? [:]), clean: clean)
        case .seconded(let moments): self.init(head(.seconded), parts: Self.json(moments))
        case .overrides(let overrides): self.init(head(.overrides), parts: Self.json(overrides))
        case .changes(let changes, let source): self.init(head(.word, source), parts: Self.json(changes))
        case .removed: self.init(head: head(.removed), payload: [])
        // A writer records the changes that an entry of a list led to.
        case .listed(_, let source): self.init(head(.word, source), parts: Self.json([Change]()))
        }
    }

    /// The entry of the writer's state before an event; nil when the event does not carry that state.
    init?(stateBefore event: CaptureEvent, clean: ([UInt8]) -> [UInt8]) {
        guard let state = event.stateBefore else { return nil }
        var head = Head(kind: .state, feed: event.feed, wall: event.wall.milliseconds)
        head.match = event.match
        head.at = event.at.microseconds
        self.init(head, parts: Self.json(state), clean: clean)
    }

    /// An entry of a session, of unreadable replies or of aliases.
    init(_ capture: FeedCapture, clean: ([UInt8]) -> [UInt8]) {
        func head(_ kind: Head.Kind) -> Head { Head(kind: kind, feed: capture.feed, wall: capture.wall.milliseconds) }
        switch capture.kind {
        case .session(let source, let session):
            var head = head(.session)
            head.provider = source.provider
            head.sourceFeed = source.feed
            head.reason = session.project
            self.init(head, parts: session.tables, clean: clean)
        case .unreadable(let match, let replies, let reason):
            var head = head(.unreadable)
            head.match = match
            head.reason = String(decoding: clean(Array(reason.utf8)), as: UTF8.self)
            self.init(head, parts: replies, clean: clean)
        case .aliases(let table): self.init(head(.aliases), parts: Self.json(table.aliases))
        }
    }

    private static let json: ReplyPart = "json"

    private static func json(_ value: some Encodable) -> ProviderReplies {
        ProviderReplies([json: (try? JSONEncoder().encode(value)).map(Array.init) ?? []])
    }

    /// The value of an entry that holds JSON of ours.
    func value<T: Decodable>(as type: T.Type) -> T? {
        replies[Self.json].flatMap { try? JSONDecoder().decode(type, from: Data($0)) }
    }
}

extension Duration {
    fileprivate var microseconds: Int64 { Int64(self / .microseconds(1)) }
}
