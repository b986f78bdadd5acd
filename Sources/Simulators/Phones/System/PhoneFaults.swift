// Each phone of a fleet can have one of the faults that real phones have; a seed draws its details.

import ScoreTypes

/// A fault of a phone, of its network or of its person.
public enum PhoneFault: String, Sendable, Hashable, CaseIterable {
    /// Few urgent updates an hour; further ones are delayed or dropped.
    case exhaustedBudget
    /// Tokens become known minutes after the activity or the launch.
    case lateTokens
    /// No activity has a token.
    case missingTokens
    /// Tokens change, at a launch and while an activity runs.
    case changingTokens
    /// Five other activities of the app run at first.
    case fiveActivities
    /// The person removes the activity.
    case dismissal
    /// The person kills the app.
    case killedApp
    /// The network is gone for a while.
    case noNetwork
    /// The phone restarts.
    case reboot
    /// Its clock is hours ahead or behind.
    case wrongClock
    /// APNs accepts the push-to-start token, but nothing arrives.
    case staleStartToken
    /// No app runs in the background.
    case lowPowerMode
    /// The person switches Live Activities off.
    case switchedOff
}

/// The time from which a token is known.
enum TokenFate: Sendable, Hashable {
    case after(Duration)
    case never
}

/// An action that happens to a phone without the app.
enum PhoneIncident: Sendable, Hashable {
    case killApp, openApp, loseNetwork, findNetwork, reboot, dismissAll, switchOffActivities, endOtherActivities
    case replaceTokens
}

/// An incident some domain time after the phone's first activity, or after the first start for which it had no place.
struct TimedIncident: Sendable, Hashable {
    enum Origin: Sendable, Hashable { case firstRefusal, firstActivity }

    let incident: PhoneIncident
    let origin: Origin
    let delay: Duration
}

/// The faults of one phone with their details.
public struct PhoneFaultPlan: Sendable, Hashable {
    /// The faults; none for a good phone.
    public let faults: [PhoneFault]
    /// Delay of an activity's token after its start.
    var activityToken = TokenFate.after(.seconds(1))
    /// Delay of the push-to-start token after the first launch.
    var startToken = TokenFate.after(.seconds(2))
    /// Part of the launches, 0 to 1, at which the push-to-start token changes.
    var startTokenChanges = 0.0
    var isStartTokenStale = false
    /// Activities of another attributes type, which count for the limit of five.
    var otherActivities = 0
    /// Urgent updates an hour, without and with frequent pushes (PushWard counted about 15).
    var updatesPerHour = 15
    var frequentUpdatesPerHour = 50
    var isInLowPowerMode = false
    /// Added to the wall clock.
    var clockOffset = Duration.zero
    var incidents: [TimedIncident] = []

    /// A phone without a fault.
    public static let none = PhoneFaultPlan([], seed: 0)

    /// A phone with some faults, whose details a seed draws.
    public init(_ faults: [PhoneFault], seed: UInt64) {
        self.faults = faults
        var chance = SplitMix64(seed: seed)
        for fault in faults { add(fault, &chance) }
    }

    /// A phone with one fault, whose details a seed draws.
    public init(_ fault: PhoneFault, seed: UInt64) { self.init([fault], seed: seed) }

    private mutating func afterStart(_ incident: PhoneIncident, _ delay: Duration) {
        incidents.append(TimedIncident(incident: incident, origin: .firstActivity, delay: delay))
    }

    private mutating func add(_ fault: PhoneFault, _ chance: inout SplitMix64) {
        func minutes(_ range: ClosedRange<Double>) -> Duration {
            .seconds(60 * Double.random(in: range, using: &chance))
        }
        switch fault {
        case .exhaustedBudget:
            updatesPerHour = Int.random(in: 1...4, using: &chance)
            frequentUpdatesPerHour = Int.random(in: 2...10, using: &chance)
        case .lateTokens:
            activityToken = .after(minutes(2...20))
            startToken = .after(minutes(1...10))
        case .missingTokens: activityToken = .never
        case .changingTokens:
            startTokenChanges = 0.7
            afterStart(.replaceTokens, minutes(5...60))
            afterStart(.replaceTokens, minutes(61...150))
        case .fiveActivities:
            otherActivities = SimulatorLimits.activitiesOfApp
            let delay = minutes(30...150)
            incidents.append(TimedIncident(incident: .endOtherActivities, origin: .firstRefusal, delay: delay))
        case .dismissal: afterStart(.dismissAll, minutes(5...120))
        case .killedApp:
            afterStart(.killApp, minutes(1...60))
            afterStart(.openApp, minutes(61...240))
        case .noNetwork:
            let gone = minutes(1...60)
            afterStart(.loseNetwork, gone)
            afterStart(.findNetwork, gone + minutes(2...45))
        case .reboot: afterStart(.reboot, minutes(2...120))
        case .wrongClock:
            let hours = Double.random(in: 1...11, using: &chance)
            clockOffset = .seconds(Bool.random(using: &chance) ? hours * 3_600 : -hours * 3_600)
        case .staleStartToken: isStartTokenStale = true
        case .lowPowerMode: isInLowPowerMode = true
        case .switchedOff: afterStart(.switchOffActivities, minutes(5...120))
        }
    }
}
