// An operator reads what a feed really sent, while the server goes on writing the same files.

internal import MatchJournal
internal import Providers
public import ScoreTypes

/// One stored entry of a feed.
public struct StoredCapture: Sendable, Hashable {
    /// A body of a reply, without secrets.
    public struct Body: Sendable, Hashable {
        /// The part of the reply.
        public let part: String
        /// Bytes as captured.
        public let byteCount: Int
        /// The text; cut at the limit, and empty in a list.
        public internal(set) var text = ""
        /// Whether the text is cut.
        public internal(set) var isCut = false
    }

    /// The place of the entry: the number of its file and its number in it.
    public let id: String
    /// `reply`, `unchanged`, `unreadable` and others.
    public let kind: String
    /// The match; nil for an entry of the whole feed.
    public let match: MatchID?
    /// When the reply had been read, by the clock of the node that polled.
    public let at: Instant
    /// Why an unreadable reply could not be read.
    public let reason: String?
    /// The bodies.
    public internal(set) var bodies: [Body]
}

/// Reads the captures of this node's folder; its calls block and belong on a thread of their own.
public struct CaptureReader: Sendable {
    private let directory: String

    /// Makes a reader over the folder that `CaptureStore` writes.
    public init(directory: String) { self.directory = directory }

    /// The newest entries of a feed, newest first, without their texts.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - match: Only entries about this match; nil for all.
    ///   - time: Only entries of this time; nil for all.
    ///   - limit: At most so many.
    /// - Returns: The entries; empty when this node has none.
    public func captures(
        of feed: FeedID,
        about match: MatchID? = nil,
        at time: Instant? = nil,
        limit: Int
    ) -> [StoredCapture] {
        var found: [StoredCapture] = []
        for path in files(of: feed).reversed() {
            guard found.count < limit, let file = CaptureFile(path) else { break }
            var own: [StoredCapture] = []
            var place = 0
            while let head = file.skip() {
                place += 1
                if head.isShown, match == nil || head.match == match, time == nil || head.wall == time?.milliseconds {
                    own.append(StoredCapture(head, id: "\(Self.number(of: path))-\(place)"))
                }
            }
            found += own.suffix(limit - found.count).reversed()
        }
        return found
    }

    /// One entry with its texts.
    ///
    /// - Parameters:
    ///   - id: The id of the entry.
    ///   - feed: The feed.
    /// - Returns: The entry; nil when there is none, or its file was deleted.
    public func capture(_ id: String, of feed: FeedID) -> StoredCapture? {
        let words = id.split(separator: "-")
        guard words.count == 2, let place = Int(words[1]), place > 0,
            let path = files(of: feed).first(where: { Self.number(of: $0) == words[0] }),
            let file = CaptureFile(path)
        else { return nil }
        for _ in 1..<place { guard file.skip() != nil else { return nil } }
        guard let record = file.next(), record.head.isShown else { return nil }
        var capture = StoredCapture(record.head, id: id)
        var left = IngestLimits.shownCaptureBytes
        let replies = record.replies
        capture.bodies = capture.bodies.map { body in
            let bytes = replies[ReplyPart(rawValue: body.part)] ?? []
            var body = body
            body.text = String(decoding: bytes.prefix(left), as: UTF8.self)
            body.isCut = bytes.count > left
            left -= min(left, bytes.count)
            return body
        }
        return capture
    }

    private func files(of feed: FeedID) -> [String] { CaptureFolder.files(in: "\(directory)/\(feed)") }

    private static func number(of path: String) -> Substring {
        (path.split(separator: "/").last ?? "").prefix { $0 != "." }.drop { $0 == "0" }
    }
}

extension StoredCapture {
    init(_ head: CaptureRecord.Head, id: String) {
        self.init(
            id: id,
            kind: head.kind.rawValue,
            match: head.match,
            at: Instant(milliseconds: head.wall),
            reason: head.reason,
            bodies: head.parts.map { Body(part: $0.name.rawValue, byteCount: $0.bytes) }
        )
    }
}

extension CaptureRecord.Head {
    /// Whether it is of a feed, and no repetition of earlier files.
    fileprivate var isShown: Bool {
        switch kind {
        case .reply, .unchanged, .unreadable, .removed, .session: true
        case .opened, .seconded, .tick, .overrides, .word, .aliases, .parts, .state: false
        }
    }
}
