// A bucket's progress says nothing of the one token in it that fails each time; such tokens are remembered here.

internal import ScoreTypes

/// Activities of one match that missed one state after another, with the time of the first.
struct MissedActivities {
    private struct Entry {
        let since: Duration
        var revision: Int64
    }

    private var entries: [DeviceID: Entry] = [:]
    /// The revision before the newest one that went out.
    private var previous: Int64?

    var count: Int { entries.count }

    /// An activity did not get a revision; beyond the bound of a fan-out's misses it is only counted elsewhere.
    mutating func missed(_ device: DeviceID, _ revision: Int64, at now: Duration) {
        if let known = entries[device] {
            entries[device]?.revision = max(revision, known.revision)
        } else if entries.count < PushLimits.missedTokens {
            entries[device] = Entry(since: now, revision: revision)
        }
    }

    /// An activity that had missed some got a state.
    mutating func reached(_ device: DeviceID) { entries[device] = nil }

    /// Something newer goes out: who missed neither of the last two revisions is not served any more.
    ///
    /// The last one alone says too little: what it overtook is told only when the lanes have the newer one.
    mutating func published(after revision: Int64?) {
        guard let revision else { return }
        if let previous, !entries.isEmpty { entries = entries.filter { $0.value.revision >= previous } }
        previous = revision
    }

    /// Those who have got nothing since a moment.
    func since(_ moment: Duration) -> [DeviceID] { entries.filter { $0.value.since <= moment }.map(\.key) }
}
