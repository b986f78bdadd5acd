// Whether a ball reached every phone, and how often, can only be told by somebody who counts at the phones.

import ScoreTypes
import Synchronization

/// What each phone of a rehearsal got.
final class CrashLedger: Sendable {
    /// The counts of the ball that is watched.
    struct Counts: Sendable, Equatable {
        /// Phones that got it, or something newer.
        var reached = 0
        /// Deliveries of it beyond the first to the same phone.
        var repeats = 0
        /// Deliveries of an older state after a newer one that a phone would have shown.
        var wentBack = 0
    }

    private struct Book {
        var newest: [Int64]
        var timestamps: [Int64]
        var watched: Int64 = 0
        var counts = Counts()
    }

    private let book: Mutex<Book>

    init(phones: Int) {
        book = Mutex(
            Book(newest: Array(repeating: 0, count: phones), timestamps: Array(repeating: 0, count: phones))
        )
    }

    /// The counts now.
    var counts: Counts { book.withLock { $0.counts } }

    /// A phone got a state.
    func deliver(_ revision: Int64, timestamp: Int64, to phone: Int) {
        book.withLock { book in
            let newest = book.newest[phone]
            if revision > newest {
                book.newest[phone] = revision
                if newest < book.watched, revision >= book.watched { book.counts.reached += 1 }
            } else if revision == newest {
                if revision == book.watched { book.counts.repeats += 1 }
            } else if timestamp >= book.timestamps[phone] {
                // With a lower timestamp the phone leaves it aside, as Apple has it.
                book.counts.wentBack += 1
            }
            book.timestamps[phone] = max(book.timestamps[phone], timestamp)
        }
    }

    /// Counts the deliveries of a revision from now on.
    func watch(_ revision: Int64) {
        book.withLock { book in
            book.watched = revision
            book.counts.reached = book.newest.count { $0 >= revision }
            book.counts.repeats = 0
        }
    }
}
