// When each ball of a match becomes visible: a finished document, laid out on domain time.

import ScoreTypes

/// How long things take in the simulated day; domain time.
public struct FeedPace: Sendable, Hashable {
    /// Between two deliveries: about what a real match takes.
    public var ball: Duration = .seconds(35)
    /// From the opening of the feed to the first ball; starts by push are spread over it.
    public var beforeStart: Duration = .seconds(600)
    /// From the last ball of an innings to the first of the next.
    public var inningsBreak: Duration = .seconds(900)
    /// Before each super over.
    public var superOverBreak: Duration = .seconds(300)
    /// From the last ball to the official result.
    public var result: Duration = .seconds(60)

    /// The usual pace.
    public init() {}
}

/// One state of the feed and when it begins.
struct FeedFrame: Sendable, Hashable {
    /// Since the feed was opened.
    var at: Duration
    /// Deliveries visible.
    var balls: Int
    /// Innings whose frame is visible.
    var innings: Int
    /// A word of `MatchStatus`.
    var status: String
    /// The ball that is shown wrong just now.
    var misreported: Int?
    /// Whether the outcome is known.
    var isFinished = false
}

/// All states of a feed, in order of time.
struct FeedTimeline: Sendable {
    let frames: [FeedFrame]

    /// When the first ball is bowled, since the feed was opened.
    let startsAt: Duration

    /// Lays out a match by the deliveries of each innings, and by which of them are super overs.
    init(
        ballsOfInnings: [Int],
        superOvers: [Bool],
        match: PlayedMatch,
        pace: FeedPace
    ) {
        startsAt = pace.beforeStart
        var layout = Layout(match: match, pace: pace)
        layout.add(FeedFrame(at: .zero, balls: 0, innings: 0, status: "scheduled"))
        layout.add(FeedFrame(at: pace.beforeStart / 2, balls: 0, innings: 0, status: "toss"))
        layout.time = pace.beforeStart
        for (index, count) in ballsOfInnings.enumerated() {
            let isSuperOver = superOvers[index]
            if index > 0 { layout.pauseBetweenInnings(isSuperOver: isSuperOver) }
            layout.play(innings: index + 1, balls: count, status: isSuperOver ? "superOver" : "live")
        }
        layout.time += pace.result
        layout.add(
            FeedFrame(
                at: layout.time,
                balls: layout.balls,
                innings: ballsOfInnings.count,
                status: "result",
                isFinished: true
            )
        )
        frames = layout.frames
    }

    /// The index of the state that holds at a time; 0 before everything.
    func index(at time: Duration) -> Int {
        var low = 0
        var high = frames.count
        while low < high {
            let middle = (low + high) / 2
            if frames[middle].at <= time { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }

    private struct Layout {
        let match: PlayedMatch
        let pace: FeedPace
        var frames: [FeedFrame] = []
        var time = Duration.zero
        var balls = 0

        mutating func add(_ frame: FeedFrame) { frames.append(frame) }

        mutating func pauseBetweenInnings(isSuperOver: Bool) {
            guard var last = frames.last else { return }
            last.at = time
            last.misreported = nil
            last.status = isSuperOver ? "superOverBreak" : "inningsBreak"
            add(last)
            time += isSuperOver ? pace.superOverBreak : pace.inningsBreak
        }

        mutating func play(innings: Int, balls count: Int, status: String) {
            add(FeedFrame(at: time, balls: balls, innings: innings, status: status))
            for _ in 0..<count {
                for stop in match.interruptions where stop.beforeBall == balls {
                    add(FeedFrame(at: time, balls: balls, innings: innings, status: stop.status))
                    time += stop.lasts
                    add(FeedFrame(at: time, balls: balls, innings: innings, status: status))
                }
                bowl(innings: innings, status: status)
            }
        }

        private mutating func bowl(innings: Int, status: String) {
            time += pace.ball
            balls += 1
            let wrong = match.misreports.first { $0.ball == balls - 1 }
            var frame = FeedFrame(at: time, balls: balls, innings: innings, status: status, misreported: wrong?.ball)
            add(frame)
            guard let wrong else { return }
            frame.at = time + wrong.correctedAfter
            frame.misreported = nil
            add(frame)
        }
    }
}
