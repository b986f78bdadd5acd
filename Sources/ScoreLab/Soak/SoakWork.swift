// The memory of a server that serves nothing is flat, too: each part of a soak has to show work of every kind.

import ScoreTypes

/// The work of a server from the beginning of a soak to one time; no number falls.
struct SoakWork: Sendable, Hashable {
    /// The kinds of work, by their names in the report.
    static let kinds: [(name: String, count: @Sendable (SoakWork) -> Int)] = [
        ("pushes", { $0.pushes }), ("states on streams", { $0.streamStates }),
        ("registrations", { $0.registrations }), ("revisions", { $0.revisions }),
    ]

    /// Pushes that APNs accepted.
    var pushes = 0
    /// States that readers received on streams.
    var streamStates = 0
    /// Registrations that succeeded.
    var registrations = 0
    /// Revisions of all matches.
    var revisions = 0

    static func - (left: Self, right: Self) -> Self {
        SoakWork(
            pushes: left.pushes - right.pushes,
            streamStates: left.streamStates - right.streamStates,
            registrations: left.registrations - right.registrations,
            revisions: left.revisions - right.revisions
        )
    }

    /// The work in equal parts of the time of a soak; a part without a sample has none.
    static func parts(_ samples: [(at: Duration, work: SoakWork)], count: Int) -> [SoakWork] {
        let end = samples.last?.at ?? .zero
        var before = samples.first?.work ?? SoakWork()
        return (1...count).map { part in
            let work = samples.last { $0.at * count <= end * part }?.work ?? before
            defer { before = work }
            return work - before
        }
    }
}
