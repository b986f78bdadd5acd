// Between two publications the list of matches is the same for all clients, so it is rendered once for each query.

import ScoreTypes
import Synchronization

/// The rendered answers of `GET /v1/matches`.
final class RenderedLists: Sendable {
    /// One answer and its cache lifetimes.
    struct List: Sendable {
        let answer: StoredAnswer
        let cacheControl: String
    }

    private struct Entry: Sendable {
        let list: List
        let version: Int
        let until: Duration
    }

    private let entries = Mutex(GenerationCache<String, Entry>(capacity: ServerLimits.renderedLists))

    /// The list of a query; `render` is called when it is not known, is old, or belongs to another version of the
    /// matches.
    func list(_ query: String, version: Int, now: Duration, render: () throws -> List) rethrows -> List {
        if let known = entries.withLock({ $0[query] }), known.version == version, now < known.until {
            return known.list
        }
        let list = try render()
        guard query.utf8.count <= ServerLimits.renderedListQueryBytes else { return list }
        let entry = Entry(list: list, version: version, until: now + ServerLimits.renderedListAge)
        entries.withLock { $0[query] = entry }
        return list
    }
}
