// When each ball of a match becomes visible: a finished document, laid out on domain time.

/// How long things take in the simulated day; domain time.
enum FeedPace {
    /// Between two deliveries: about what a real match takes.
    static let ball: Duration = .seconds(35)
    /// From the opening of the feed to the first ball; starts by push are spread over it.
    static let beforeStart: Duration = .seconds(600)
    /// From the last ball of an innings to the first of the next.
    static let inningsBreak: Duration = .seconds(900)
    /// Before each super over.
    static let superOverBreak: Duration = .seconds(300)
    /// From the last ball to the official result.
    static let result: Duration = .seconds(60)
    /// How long a ball stays wrong that the demo has wrong at first.
    static let correction: Duration = .seconds(20)
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
    /// The day of play, from 1.
    var day = 1
    /// Whether the outcome is known.
    var isFinished = false
}

/// All states of a feed, in order of time.
struct FeedTimeline: Sendable {
    private(set) var frames: [FeedFrame] = []
    private let stops: [Interruption]
    private var time = Duration.zero
    private var balls = 0
    private var day = 1

    /// Lays out a match by the deliveries of each innings, by which of them are super overs, and by the stops in play.
    init(ballsOfInnings: [Int], superOvers: [Bool], stops: [Interruption]) {
        self.stops = stops
        add(innings: 0, "scheduled")
        time = FeedPace.beforeStart / 2
        add(innings: 0, "toss")
        time = FeedPace.beforeStart
        for (index, (count, isSuperOver)) in zip(ballsOfInnings, superOvers).enumerated() {
            if index > 0 {
                add(innings: index, isSuperOver ? "superOverBreak" : "inningsBreak")
                time += isSuperOver ? FeedPace.superOverBreak : FeedPace.inningsBreak
            }
            play(innings: index + 1, balls: count, isSuperOver ? "superOver" : "live")
        }
        time += FeedPace.result
        add(innings: ballsOfInnings.count, "result")
        frames[frames.count - 1].isFinished = true
    }

    /// The state that holds at a time; the first one before everything.
    func frame(at time: Duration) -> FeedFrame { frames[max(0, frames.count(upTo: time, by: \.at) - 1)] }

    private mutating func add(innings: Int, _ status: String) {
        frames.append(FeedFrame(at: time, balls: balls, innings: innings, status: status, day: day))
    }

    private mutating func play(innings: Int, balls count: Int, _ status: String) {
        add(innings: innings, status)
        for _ in 0..<count {
            for stop in stops where stop.beforeBall == balls {
                add(innings: innings, stop.status)
                time += stop.lasts
                if stop.status == "stumps" { day += 1 }
                add(innings: innings, status)
            }
            time += FeedPace.ball
            balls += 1
            add(innings: innings, status)
        }
    }
}

extension Array {
    /// How many elements of a list in order of time are not after a time.
    func count(upTo time: Duration, by at: (Element) -> Duration) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if at(self[middle]) <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
