// A reply that was held, dropped or unreadable decides what is requested again; pollers and proofs share these rules.

package import MatchJournal
package import Providers

/// The replies about one match, and what became of the snapshots that were read from them.
package struct MatchReplies: Sendable {
    /// The last reply of each part.
    package var store = PartStore()
    /// Held replies in a row.
    package private(set) var held = 0
    /// Unreadable snapshots in a row.
    private var unreadable = 0
    /// Snapshots in a row that had nothing of what there was before.
    private var emptied = 0

    /// Nothing has come yet.
    package init() {}

    /// Whether its list of balls came empty at least twice in a row: once is a slip, and requesting all of it again at
    /// the usual pace does not end what lasts.
    var isEmptied: Bool { emptied > 1 }

    /// Records what became of a snapshot.
    package mutating func handedOver(_ acceptance: Acceptance) {
        unreadable = 0
        if case .dropped(.emptyList) = acceptance { emptied += 1 } else { emptied = 0 }
        if case .held = acceptance { held += 1 } else { held = 0 }
        switch acceptance {
        case .applied, .unchanged, .standby: store.wasRead()
        // A page that is requested only once may be the empty one: all of them have to come anew.
        case .dropped(.emptyList): store = PartStore()
        // A held reply has to come whole again, or it could not be seen a second time.
        case .held, .dropped: store.doubt()
        }
    }

    /// Records that the snapshot cannot be read.
    ///
    /// A part that is held is not always requested again, so the one at fault is forgotten, or the match would stand
    /// still.
    package mutating func couldNotRead(_ error: AdapterError) {
        unreadable += 1
        if unreadable.isMultiple(of: IngestLimits.unreadableMax) { return store = PartStore() }
        if let part = error.part { store.forget(part) }
        store.doubt()
    }
}
