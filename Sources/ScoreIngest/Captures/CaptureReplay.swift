// Captures are replayed without network, clock and database: the same replies give the same journal.

internal import Foundation
public import MatchEngine
public import MatchJournal
public import Providers
public import ScoreTypes

/// An entry of the journal that a replay has made.
public struct ReplayedEntry: Sendable {
    /// The match.
    public let match: MatchID
    /// The revision's number, counted from the first captured entry.
    public let revision: Int64
    /// The change.
    public let change: Change
    /// The origin of the change.
    public let source: JournalSource

    /// The change as the journal stores it, with the keys of each object in order.
    public var body: [UInt8] { (try? ChangeCoding.canonical(change)) ?? [] }
}

/// Replays the captures of a folder.
public final class CaptureReplay {
    /// Why captures cannot be replayed.
    public enum Failure: Error, CustomStringConvertible {
        /// The folder has no captures.
        case nothingThere(String)
        /// A provider that this program has no adapter for.
        case unknownProvider(String)
        /// A reply that was read once and cannot be read now.
        case unreadable(MatchID, AdapterError)

        /// One sentence with a remedy.
        public var description: String {
            switch self {
            case .nothingThere(let path): "\(path) holds no captures; give the folder that captures.dir names."
            case .unknownProvider(let word): "The captures are of provider \(word), which this program does not know."
            case .unreadable(let match, let error): "A captured reply about \(match) cannot be read any more: \(error)"
            }
        }
    }

    private struct Table {
        /// nil while the state of the match is unknown.
        var state: WriterState?
        var stores: [String: ProviderReplies] = [:]
        /// The entries before which the parts in `stores` and the state were repeated last.
        var storesBefore: CaptureRecord.Place?
        var stateBefore: CaptureRecord.Place?
    }

    /// Entries that were not replayed, since captures that explain them are gone.
    public struct Skipped: Sendable, Hashable, CustomStringConvertible {
        /// The match.
        public let match: MatchID
        /// Entries, one after the other.
        public internal(set) var entries: Int
        /// The captures that are missing.
        public let reason: String

        /// One sentence.
        public var description: String {
            "Skipped \(entries) captured \(entries == 1 ? "entry" : "entries") about \(match): \(reason)"
        }
    }

    private let adapter: (Provider) -> (any Adapter)?
    private let options: EngineOptions
    private var tables: [MatchID: Table] = [:]
    private var sessions: [String: ProviderSession] = [:]
    private var aliases = AliasTable()
    /// The skipped entries, in order.
    public private(set) var skipped: [Skipped] = []

    /// Makes a replay.
    ///
    /// - Parameters:
    ///   - options: The wording of states and moments at the time of the capture.
    ///   - adapter: The adapter of a provider; nil for one that is not known.
    public init(options: EngineOptions = EngineOptions(), adapter: @escaping (Provider) -> (any Adapter)?) {
        self.options = options
        self.adapter = adapter
    }

    /// Replays all captures below a folder, of all feeds, in the order of their capture.
    ///
    /// - Parameters:
    ///   - directory: The folder of captures, or the folder of one feed in it.
    ///   - give: Called with each entry of the journal.
    /// - Throws: `Failure`.
    public func play(_ directory: String, _ give: (ReplayedEntry) -> Void) throws(Failure) {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        let paths = [directory] + folders.sorted().map { "\(directory)/\($0)" }
        var isEmpty = true
        for record in CaptureSequence(paths.map(CaptureFolder.files)) {
            isEmpty = false
            for entry in try play(record) { give(entry) }
        }
        if isEmpty { throw .nothingThere(directory) }
    }

    func play(_ record: CaptureRecord) throws(Failure) -> [ReplayedEntry] {
        let head = record.head
        switch head.kind {
        case .session:
            sessions[head.sourceFeed] = ProviderSession(project: head.reason, tables: record.replies)
            return []
        case .aliases:
            aliases = AliasTable(record.value(as: [Alias].self) ?? [])
            return []
        case .unreadable: return []
        case .parts, .state:
            take(record)
            return []
        case .opened, .reply, .unchanged, .seconded, .tick, .overrides, .word, .removed: break
        }
        guard let match = head.match else { return [] }
        var table = tables[match] ?? Table()
        defer { tables[match] = table }
        // The state that the writer read from the journal stands before it, unless that entry was lost.
        if head.kind == .opened && table.stateBefore != record.place { table.state = nil }
        guard let state = table.state else {
            skip(match, "the state of the match is not among the captures")
            return []
        }
        return try advance(&table, state, record, match)
    }

    /// Takes the state of a match and its parts at the beginning of a file.
    private func take(_ record: CaptureRecord) {
        guard let match = record.head.match else { return }
        var table = tables[match] ?? Table()
        // These are all parts: any other came with an entry that was not written, or from another node.
        if table.storesBefore != record.place { table.stores = [:] }
        table.storesBefore = record.place
        if record.head.kind == .parts {
            table.stores[record.head.sourceFeed] = record.replies
        } else if let state = record.value(as: WriterState.self) {
            table.state = state.with(options)
            table.stateBefore = record.place
        } else {
            skip(match, "the writer's state is of another version and cannot be read")
        }
        tables[match] = table
    }

    private func skip(_ match: MatchID, _ reason: String) {
        if let last = skipped.indices.last, skipped[last].match == match, skipped[last].reason == reason {
            skipped[last].entries += 1
        } else {
            skipped.append(Skipped(match: match, entries: 1, reason: reason))
        }
    }

    private func advance(
        _ table: inout Table,
        _ state: WriterState,
        _ record: CaptureRecord,
        _ match: MatchID
    ) throws(Failure) -> [ReplayedEntry] {
        let wall = Instant(milliseconds: record.head.wall)
        guard let event = try event(&table, record, match, wall) else { return [] }
        let decision = state.decide(event, at: wall, now: .microseconds(record.head.at))
        table.state?.adopt(decision)
        guard let append = decision.append else { return [] }
        return append.changes.enumerated().map { index, change in
            ReplayedEntry(
                match: match,
                revision: append.expected + Int64(index) + 1,
                change: change,
                source: append.source
            )
        }
    }

    /// The event of an entry; nil when captures are missing that explain it.
    private func event(
        _ table: inout Table,
        _ record: CaptureRecord,
        _ match: MatchID,
        _ wall: Instant
    ) throws(Failure) -> WriterState.Event? {
        let source = JournalSource(provider: record.head.provider, feed: record.head.sourceFeed)
        switch record.head.kind {
        case .reply:
            guard let snapshot = try snapshot(&table, record, match, source) else {
                // The reply cannot be read: the state is unknown from here.
                table.state = nil
                return nil
            }
            var reply = SeenReply(snapshot, seenAt: wall, source: source)
            reply.resyncEpoch = record.head.resyncEpoch.flatMap { Epoch($0) }
            return .reply(reply)
        case .unchanged: return .unchanged(source)
        case .seconded: return .seconded(record.value(as: [AnnouncedMoment].self) ?? [])
        case .tick: return .time
        case .overrides: return .overrides(record.value(as: [MatchOverride].self) ?? [])
        case .word: return .changes(record.value(as: [Change].self) ?? [], source)
        case .removed: return .removed
        case .opened, .session, .unreadable, .aliases, .parts, .state: return nil
        }
    }

    /// The snapshot of a reply; nil when captures are missing that it needs.
    private func snapshot(
        _ table: inout Table,
        _ record: CaptureRecord,
        _ match: MatchID,
        _ source: JournalSource
    ) throws(Failure) -> MatchSnapshot? {
        guard let provider = Provider(rawValue: source.provider), let adapter = adapter(provider) else {
            throw .unknownProvider(source.provider)
        }
        guard record.head.isWhole || table.stores[source.feed] != nil else {
            skip(match, "parts that were not requested again are not among the captures")
            return nil
        }
        var store = record.head.isWhole ? ProviderReplies() : table.stores[source.feed] ?? ProviderReplies()
        store.merge(record.replies)
        table.stores[source.feed] = store
        do throws(AdapterError) {
            return try adapter.snapshot(store, sessions[source.feed] ?? ProviderSession())
                .named(by: aliases, of: provider)
        } catch {
            guard sessions[source.feed] == nil else { throw .unreadable(match, error) }
            skip(match, "the tables of feed \(source.feed) are not among the captures (\(error))")
            return nil
        }
    }
}
