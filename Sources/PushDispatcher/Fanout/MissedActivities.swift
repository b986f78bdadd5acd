// Progress is recorded by bucket, so activities that fail repeatedly within one are remembered here.

internal import ScoreTypes

/// Activities of one match that missed consecutive states, with the time of the first.
struct MissedActivities {
    private struct Entry {
        let since: Duration
        var revision: Int64
    }

    private var entries: [DeviceID: Entry] = [:]
    /// The revision before the newest published one.
    private var previous: Int64?

    var count: Int { entries.count }

    /// Notes a missed revision, for at most `PushLimits.missedTokens` activities.
    mutating func missed(_ device: DeviceID, _ revision: Int64, at now: Duration) {
        if let known = entries[device] {
            entries[device]?.revision = max(revision, known.revision)
        } else if entries.count < PushLimits.missedTokens {
            entries[device] = Entry(since: now, revision: revision)
        }
    }

    /// Notes that an activity received a state.
    mutating func reached(_ device: DeviceID) { entries[device] = nil }

    /// Notes a publication: activities that missed neither of the last two revisions are removed.
    ///
    /// The last revision alone is not enough: misses of a replaced revision are reported after the newer one.
    mutating func published(after revision: Int64?) {
        guard let revision else { return }
        if let previous, !entries.isEmpty { entries = entries.filter { $0.value.revision >= previous } }
        previous = revision
    }

    /// Activities that have received nothing since a moment.
    func since(_ moment: Duration) -> [DeviceID] { entries.filter { $0.value.since <= moment }.map(\.key) }
}
