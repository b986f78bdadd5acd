// A phone has three clocks: the wall clock for Apple's dates, domain time for budgets, real time for processes.

import ScoreTypes

/// One instant by all clocks (PUBLICATION section 5).
struct PhoneTime: Sendable, Hashable {
    /// Milliseconds since 1970; right, unlike the clock that the phone shows.
    var wall: Int64
    /// Domain time: budgets, delays of tokens and the plan of faults.
    var domain: Duration
    /// Real time since an arbitrary start: eight hours of an activity, the moment of a background launch.
    var real: Duration

    init(wall: Int64, domain: Duration, real: Duration) {
        (self.wall, self.domain, self.real) = (wall, domain, real)
    }

    init(_ clock: ServiceClock) {
        self.init(wall: clock.wall.milliseconds, domain: clock.domain, real: clock.monotonic)
    }
}

/// The earliest of several instants on different clocks, as real time to wait from now.
struct NextDue {
    private(set) var wait: Duration?
    private let now: PhoneTime
    private let speed: Int

    init(from now: PhoneTime, speed: Int) { (self.now, self.speed) = (now, speed) }

    mutating func add(real: Duration?) { if let real { take(real - now.real) } }

    mutating func add(domain: Duration?) { if let domain { take((domain - now.domain) / speed) } }

    /// Adds an instant in milliseconds since 1970, by the right clock.
    mutating func add(wall: Int64?) { if let wall { take(.milliseconds(wall &- now.wall)) } }

    private mutating func take(_ span: Duration) {
        let span = max(.zero, span)
        wait = min(wait ?? span, span)
    }
}
