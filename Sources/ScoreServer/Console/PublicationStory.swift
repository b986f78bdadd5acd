// An operator reads in words why a publication was sent as it was.

import MatchJournal
import ScoreTypes

/// A row of the publications as a line of a page.
struct PublicationStory {
    let row: PublicationRow

    /// The alert, the priority and the reason of both.
    var priority: String {
        switch (row.alertKey, row.priority, row.cause) {
        case (.some(let key), _, _): "priority 10 with an alert: \(key) was confirmed"
        case (nil, 10, _): "priority 10 without an alert: the state matters at once"
        case (nil, _, .keepAlive): "priority 5: nothing changed in a long break, the activity stays alive"
        case (nil, _, .confirmation): "priority 5: a moment without an alert was confirmed"
        case (nil, _, .reply): "priority 5: an ordinary ball, merged with others of the same ten seconds"
        }
    }

    /// The moments that were announced with it.
    var announced: String? {
        row.announced.isEmpty ? nil : row.announced.map { "\($0.key)" }.joined(separator: ", ")
    }

    /// Milliseconds from the reply to the commit.
    var lag: Int64 { max(0, (row.at - row.seenAt).milliseconds) }
}
