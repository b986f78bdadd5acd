// Captures are deleted from the front, so each file says by itself what those before it have told.

internal import ScoreTypes

/// What a capture file of one feed has to begin with, and each match in it.
///
/// All of it comes out of entries that were written before, so it holds no secret either.
struct CaptureBasis: Sendable {
    /// Matches whose replies are remembered: as many as are polled at once.
    ///
    /// Of one beyond, the file that comes next does not have the parts that were not asked for again.
    static let matchesMax = PollSchedule.matchesMax
    /// Bytes of the replies that are remembered, of matches that are long over too: a hundred large ones.
    static let bytesMax = 64 * 1024 * 1024

    private struct Known: Sendable {
        /// The last reply of each part, by the feed that they came from.
        var replies: [String: CaptureRecord] = [:]
        var isWritten = false
        /// The newest entry about it, by the count of entries.
        var newest = 0
        /// Bytes of its replies.
        var bytes = 0
    }

    private var sessions: [String: CaptureRecord] = [:]
    private var aliases: CaptureRecord?
    private var matches: [MatchID: Known] = [:]
    private var isBegun = false
    private var count = 0
    private var bytes = 0

    /// A new file knows nothing.
    mutating func fileBegan() {
        isBegun = false
        for match in matches.keys { matches[match]?.isWritten = false }
    }

    /// What has to be written in front of an entry; nothing of it is asked for again in the same file.
    ///
    /// - Parameters:
    ///   - record: The entry.
    ///   - standing: Makes the entry of what its match's writer knew before; nil when nobody noted it.
    /// - Returns: Entries, to be written in this order.
    mutating func entries(before record: CaptureRecord, _ standing: () -> CaptureRecord?) -> [CaptureRecord] {
        var entries: [CaptureRecord] = []
        if !isBegun {
            isBegun = true
            entries += sessions.sorted { $0.key < $1.key }.map(\.value)
            if let aliases { entries.append(aliases) }
        }
        guard let match = record.head.match, record.head.kind.isOfWriter, matches[match]?.isWritten != true,
            let standing = standing()
        else { return entries }
        matches[match, default: Known()].isWritten = true
        let replies = matches[match]?.replies ?? [:]
        return entries + replies.sorted { $0.key < $1.key }.map(\.value) + [standing]
    }

    /// Takes in an entry that comes next.
    mutating func take(_ record: CaptureRecord) {
        let head = record.head
        switch head.kind {
        case .session: sessions[head.sourceFeed] = record
        case .aliases: aliases = record
        default: break
        }
        guard let match = head.match, head.kind.isOfWriter else { return }
        count += 1
        matches[match, default: Known()].newest = count
        if head.kind == .reply {
            let earlier = matches[match]?.replies[head.sourceFeed]
            let merged = record.merged(into: earlier)
            let grown = merged.replies.byteCount - (earlier?.replies.byteCount ?? 0)
            matches[match]?.replies[head.sourceFeed] = merged
            matches[match]?.bytes += grown
            bytes += grown
        }
        makeRoom()
    }

    /// Forgets what was told of longest ago, but never the match that was told of last.
    private mutating func makeRoom() {
        while matches.count > Self.matchesMax || bytes > Self.bytesMax && matches.count > 1 {
            guard let oldest = matches.min(by: { $0.value.newest < $1.value.newest }) else { return }
            bytes -= oldest.value.bytes
            matches[oldest.key] = nil
        }
    }
}

extension CaptureRecord {
    /// All parts that are held of a match after a reply, as an entry of their own.
    fileprivate func merged(into earlier: CaptureRecord?) -> CaptureRecord {
        var parts = head.isWhole ? ProviderReplies() : earlier?.replies ?? ProviderReplies()
        parts.merge(replies)
        var head = Head(kind: .parts, feed: head.feed, wall: head.wall)
        head.match = self.head.match
        head.id = self.head.id
        head.provider = self.head.provider
        head.sourceFeed = self.head.sourceFeed
        head.isWhole = true
        return CaptureRecord(head, parts: parts)
    }
}

extension CaptureRecord.Head.Kind {
    /// Whether a match's writer was told it.
    var isOfWriter: Bool {
        switch self {
        case .opened, .reply, .unchanged, .tick, .overrides, .word: true
        case .session, .unreadable, .aliases, .parts, .standing: false
        }
    }
}
