// Very many phones without a client take the pushes of a crash test; each decides by the rules of iOS what it shows.

import FollowService
import ScoreClient
import ScoreTypes
import Simulators

/// The phones of a crash test that have no client, and the counts of what they show.
struct CrashPhones: Sendable {
    private static let seed: UInt64 = 9
    /// Phones that one task makes.
    private static let portion = 1_000
    private static let tokenPoll = Duration.milliseconds(10)

    let tally: ScreenTally
    private let phones: [ActivityPhone]
    private let environment: PhoneEnvironment

    /// Makes phones whose apps have started the activity of the match; they run until the teardown.
    init(_ count: Int, network: APNsSimulator, clock: ServiceClock, undoneBy teardown: Teardown) async throws {
        let tally = ScreenTally(phones: count)
        let environment = PhoneEnvironment(network: network, clock: clock) { tally.note($0, $1) }
        let schedule = Task { await environment.schedule.run() }
        teardown.add { schedule.cancel() }
        (self.tally, self.environment) = (tally, environment)
        let portions = try await withThrowingTaskGroup(of: (first: Int, phones: [ActivityPhone]).self) { group in
            for first in stride(from: 0, to: count, by: Self.portion) {
                group.addTask {
                    let numbers = first..<min(first + Self.portion, count)
                    return (first, try numbers.map { try Self.phone($0, environment) })
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        phones = portions.sorted { $0.first < $1.first }.flatMap(\.phones)
    }

    /// Alerts so far that sounded again on a phone that had them.
    var alertsTwice: Int { phones.reduce(0) { $0 + $1.system.report.alertsTwice } }

    private static func phone(_ number: Int, _ environment: PhoneEnvironment) throws -> ActivityPhone {
        let phone = ActivityPhone(
            number: number,
            match: CrashMatch.match,
            release: number.isMultiple(of: 4) ? .ios16 : .ios17,
            seed: seed(of: number),
            environment: environment
        )
        try phone.startActivity()
        return phone
    }

    private static func seed(of number: Int) -> UInt64 {
        var generator = SplitMix64(seed: seed << 40 ^ UInt64(number))
        return generator.next()
    }

    /// The registrations of all activities, once iOS has given their tokens.
    func registrations() async throws -> [ActivityRegistration] {
        let now = environment.clock.wall
        var calls: [ActivityRegistration] = []
        calls.reserveCapacity(phones.count)
        for (number, phone) in phones.enumerated() {
            let (activity, token) = try await activity(of: phone)
            var generator = SplitMix64(seed: ~Self.seed(of: number))
            calls.append(
                ActivityRegistration(
                    device: DeviceID(using: &generator),
                    match: CrashMatch.match,
                    activityID: activity,
                    environment: .sandbox,
                    route: .token(token),
                    startedAt: now,
                    clientSequence: 1
                )
            )
        }
        return calls
    }

    private func activity(of phone: ActivityPhone) async throws -> (ActivityID, PushToken) {
        let deadline = ContinuousClock.now + LabLimits.crashWait
        while ContinuousClock.now < deadline {
            if let activity = phone.activity, let token = activity.token.flatMap({ PushToken(hex: $0) }) {
                return (ActivityID(unchecked: activity.id), token)
            }
            try await Task.sleep(for: Self.tokenPoll)
        }
        throw MeasurementFailure("a phone has no token after \(LabLimits.crashWait)")
    }
}
