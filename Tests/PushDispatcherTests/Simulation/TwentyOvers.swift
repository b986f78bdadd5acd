// The publications of a whole Twenty20: each ball, repeated replies, wickets, corrections, the break.

import ScoreTypes

@testable import PushDispatcher

/// One publication of the match: its state, apart from the revision.
struct PlayedPublication {
    let at: Duration
    /// Identifies the state: two publications with one number show the same.
    let picture: UInt64
    let alert: String?
    let cause: PushCause
    var isFinal = false
}

/// A scripted match of two innings.
struct TwentyOvers {
    /// Balls with a wicket, by innings: three of them in one over, as in a hat-trick.
    static let wickets: [Set<Int>] = [[9, 27, 28, 29, 77, 101, 118, 119], [2, 50, 83, 84, 110, 117]]
    /// Balls with a fifty or the end of an innings.
    static let milestones: [Set<Int>] = [[66, 90, 120], [95, 112]]
    /// Balls that the scorer corrected afterwards.
    static let corrected: [Set<Int>] = [[14, 60, 100], [31, 118]]

    private(set) var publications: [PlayedPublication] = []
    private(set) var repeats = 0
    private var at: Duration = .seconds(60)
    private var picture: UInt64 = 0

    init() {
        for innings in 0..<2 {
            for ball in 1...120 { play(ball, innings) }
            guard innings == 0 else { break }
            // The break of twenty-two minutes: the keep-alive comes after twenty.
            at += .seconds(20 * 60)
            add(picture, cause: .keepAlive)
            at += .seconds(120)
        }
        show(alert: "result", cause: .ordinary, isFinal: true)
    }

    private mutating func play(_ ball: Int, _ innings: Int) {
        at += .seconds(34 + ball % 9)
        if ball % 6 == 1 { at += .seconds(30) }
        show(alert: nil, cause: .ordinary)
        if Self.wickets[innings].contains(ball) {
            // The ball is published at once and silently; the confirmed wicket follows with the same state.
            at += .seconds(5)
            add(picture, alert: "\(innings) wicket at \(ball)")
        }
        if Self.milestones[innings].contains(ball) {
            at += .seconds(5)
            add(picture, alert: "\(innings) milestone at \(ball)")
        }
        if Self.corrected[innings].contains(ball) {
            at += .seconds(4)
            show(alert: nil, cause: .correction)
        }
        if ball % 6 == 0 {
            at += .seconds(12)
            add(picture)
            repeats += 1
        }
    }

    private mutating func show(alert: String?, cause: PushCause, isFinal: Bool = false) {
        picture += 1
        add(picture, alert: alert, cause: cause, isFinal: isFinal)
    }

    private mutating func add(
        _ picture: UInt64,
        alert: String? = nil,
        cause: PushCause = .ordinary,
        isFinal: Bool = false
    ) {
        publications.append(
            PlayedPublication(at: at, picture: picture, alert: alert, cause: cause, isFinal: isFinal)
        )
    }
}
