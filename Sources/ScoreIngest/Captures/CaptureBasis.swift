// Captures are deleted from the front, so each file says by itself what those before it have told.

internal import Providers
internal import ScoreTypes

/// What a capture file of one feed has to begin with, and each match in it.
///
/// All of it comes out of entries that were written before, so it holds no secret either.
struct CaptureBasis: Sendable {
    /// Matches whose replies are remembered: as many as are polled at once.
    ///
    /// Of one beyond, the file that comes next does not have the parts that were not asked for again.
    static let matchesMax = IngestLimits.polledMatchesMax
    /// Bytes of the replies that are remembered, of matches that are long over too: a hundred large ones.
    static let bytesMax = 64 * 1024 * 1024

    private struct Known: Sendable {
        /// The last reply of each part, by the feed that they came from.
        var replies: [String: CaptureRecord] = [:]
        var isWritten = false
        /// Whether replies came that what is remembered does not explain: they are skipped when they are played.
        var isBroken = false
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

    /// An entry about a match was not kept: what comes next of it stands on something that no file has.
    mutating func lost(_ match: MatchID) {
        guard let known = matches[match] else { return }
        bytes -= known.bytes
        matches[match] = Known(newest: known.newest)
    }

    /// What has to be written in front of an entry: once in a file, and again where its match goes on from elsewhere.
    ///
    /// A writer that has read the journal anew may find there what another node has written.
    ///
    /// - Parameters:
    ///   - record: The entry.
    ///   - state: Makes the entry of what its match's writer knew before; nil when nobody noted it.
    /// - Returns: Entries, to be written in this order.
    mutating func entries(before record: CaptureRecord, _ state: () -> CaptureRecord?) -> [CaptureRecord] {
        var entries: [CaptureRecord] = []
        if !isBegun {
            isBegun = true
            entries += sessions.sorted { $0.key < $1.key }.map(\.value)
            if let aliases { entries.append(aliases) }
        }
        guard let match = record.head.match, record.head.kind.isOfWriter, needsState(match, before: record.head),
            let state = state()
        else { return entries }
        matches[match, default: Known()].isWritten = true
        matches[match]?.isBroken = false
        let replies = matches[match]?.replies ?? [:]
        return entries + replies.sorted { $0.key < $1.key }.map(\.value) + [state]
    }

    private func needsState(_ match: MatchID, before head: CaptureRecord.Head) -> Bool {
        guard let known = matches[match], known.isWritten, head.kind != .opened else { return true }
        return known.isBroken && head.kind == .reply && head.isWhole
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
            guard head.isWhole || earlier != nil else {
                matches[match]?.isBroken = true
                return makeRoom()
            }
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
    /// Whether it repeats what the files before it have told of a match.
    var isBasis: Bool { self == .parts || self == .state }

    /// Whether a match's writer was told it.
    var isOfWriter: Bool {
        switch self {
        case .opened, .reply, .unchanged, .tick, .overrides, .word, .removed: true
        case .session, .unreadable, .aliases, .parts, .state: false
        }
    }
}
