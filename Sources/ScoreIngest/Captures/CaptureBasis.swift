// Old capture files are deleted, so each file repeats what its entries need from the files before it.

internal import Providers
internal import ScoreTypes

/// The entries that a capture file of one feed repeats from earlier files, at its beginning and before each match.
///
/// Earlier entries contain no secret, so these contain none.
struct CaptureBasis: Sendable {
    private struct Known: Sendable {
        /// The last reply of each part, by feed.
        var replies: [String: CaptureRecord] = [:]
        var isWritten = false
        /// Whether replies came that the remembered ones do not explain; a replay skips them.
        var isBroken = false
        /// The number of its newest entry.
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

    /// Begins a new file, which has no entries yet.
    mutating func fileBegan() {
        isBegun = false
        for match in matches.keys { matches[match]?.isWritten = false }
    }

    /// An entry about a match was not written: later entries depend on something that no file has.
    mutating func lost(_ match: MatchID) {
        guard let known = matches[match] else { return }
        bytes -= known.bytes
        matches[match] = Known(newest: known.newest)
    }

    /// The entries to repeat before an entry, in order.
    ///
    /// A match is repeated once in a file, and again when its writer has read the journal again and continues from
    /// another state. `state` makes the entry of the writer's state.
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

    /// Adds an entry that is written.
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

    /// Forgets the oldest matches, but never the newest one.
    private mutating func makeRoom() {
        while matches.count > IngestLimits.polledMatchesMax
            || bytes > IngestLimits.captureBasisBytesMax && matches.count > 1
        {
            guard let oldest = matches.min(by: { $0.value.newest < $1.value.newest }) else { return }
            bytes -= oldest.value.bytes
            matches[oldest.key] = nil
        }
    }
}

extension CaptureRecord {
    /// All parts of a match after a reply, as one entry.
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
    /// Whether it repeats earlier files.
    var isBasis: Bool { self == .parts || self == .state }

    /// Whether it is an event of a match's writer.
    var isOfWriter: Bool {
        switch self {
        case .opened, .reply, .unchanged, .seconded, .tick, .overrides, .word, .removed: true
        case .session, .unreadable, .aliases, .parts, .state: false
        }
    }
}
