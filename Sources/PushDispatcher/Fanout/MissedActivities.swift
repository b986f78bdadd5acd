// A bucket's progress says nothing of the one token in it that fails each time; such tokens are remembered here.

internal import ScoreTypes

/// Activities of one match that missed one state after another, with the time of the first.
struct MissedActivities {
    private struct Entry {
        let since: Duration
        var revision: Int64
    }

    private var entries: [DeviceID: Entry] = [:]

    var count: Int { entries.count }

    /// An activity did not get a revision; beyond the bound of a fan-out's misses it is only counted elsewhere.
    mutating func missed(_ device: DeviceID, _ revision: Int64, at now: Duration) {
        if entries[device] != nil {
            entries[device]?.revision = revision
        } else if entries.count < Fanout.missedMax {
            entries[device] = Entry(since: now, revision: revision)
        }
    }

    /// Something newer goes out: who did not miss the revision before has got it.
    mutating func launched(after revision: Int64?) {
        guard let revision, !entries.isEmpty else { return }
        entries = entries.filter { $0.value.revision >= revision }
    }

    /// Those who have got nothing since a moment.
    func since(_ moment: Duration) -> [DeviceID] { entries.filter { $0.value.since <= moment }.map(\.key) }
}
