// Between two publications the list of matches is the same for all clients, so it is rendered once for each query.

import ScoreTypes
import Synchronization

/// The rendered answers of `GET /v1/matches`.
final class RenderedLists: Sendable {
    /// One answer and its cache lifetimes.
    struct List: Sendable {
        let answer: StoredAnswer
        let cacheControl: String
        /// The last time at which the list is right: then a finished match leaves it; nil for no such time.
        let until: Instant?
    }

    private struct Entry: Sendable {
        let list: List
        let version: Int
    }

    private let entries = Mutex(GenerationCache<String, Entry>(capacity: ServerLimits.renderedLists))

    /// The list of a query; nil when it is not known, has expired, or is of another version.
    func known(_ query: String, version: Int, now: Instant) -> List? {
        let entry = entries.withLock { $0[query] }
        guard let entry, entry.version == version, entry.list.until.map({ now <= $0 }) ?? true else { return nil }
        return entry.list
    }

    /// The list of a query; `render` is called when it is not known.
    func list(_ query: String, version: Int, now: Instant, render: () throws -> List) rethrows -> List {
        if let list = known(query, version: version, now: now) { return list }
        let list = try render()
        guard query.utf8.count <= ServerLimits.renderedListQueryBytes else { return list }
        entries.withLock { $0[query] = Entry(list: list, version: version) }
        return list
    }
}
