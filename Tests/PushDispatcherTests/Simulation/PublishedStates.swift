// A state that equals the one before is not sent, and an ended activity takes none: older revisions may be right, too.

import PushDispatcher
import ScoreTypes

/// The states of one match that were published.
struct PublishedStates {
    private(set) var newest: PushPublication
    private var hashes: [Int64: UInt64] = [:]
    /// The revision that ended the activities.
    private var end: Int64?
    /// The ids of the alerts by their texts.
    private var alerts: [String: Set<String>] = [:]

    /// Begins with a publication, which has to be added.
    init(_ first: PushPublication) { newest = first }

    mutating func add(_ publication: PushPublication) {
        let number = publication.revision.number
        newest = publication
        hashes[number] = publication.stateHash
        if end == nil, publication.isFinal { end = number }
        if let alert = publication.alert, let id = publication.alertKey { alerts[alert.body, default: []].insert(id) }
    }

    /// Alerts whose text an earlier alert has, such as a wicket that the feed withdraws and reports again.
    var repeatedTexts: Int { alerts.values.reduce(0) { $0 + $1.count - 1 } }

    /// Whether a phone that shows a revision shows the newest state, or the one that ended its activity.
    func isRight(_ revision: Int64) -> Bool {
        hashes[revision] == newest.stateHash || end.map { revision >= $0 } == true
    }
}
