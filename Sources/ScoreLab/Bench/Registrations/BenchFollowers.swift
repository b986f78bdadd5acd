// A benchmark needs a million phones that look like phones and are the same in every run.

import FollowService
import ScoreTypes

/// Made-up phones, each with one activity on one of a few matches.
struct BenchFollowers: Sendable {
    /// Bytes of a token, as Live Activities have them today.
    static let tokenBytes = 80

    /// Distinguishes the phones of one part of a run from those of another.
    let series: UInt64
    /// When all activities began.
    let startedAt: Instant
    /// Matches that the phones are spread over: an evening with several games.
    var matches = (0..<5).map { MatchID(unchecked: "bench-match-\($0)") }

    /// The registrations of the first `count` phones; tokens rotate in another order than they came in.
    func registrations(_ count: Int, round: Int64) -> [ActivityRegistration] {
        let calls = (0..<count).map { registration($0, round: round) }
        var order = SplitMix64(seed: UInt64(bitPattern: round))
        return round == 1 ? calls : calls.shuffled(using: &order)
    }

    /// The device of the phone of a number, the number of its activity, and the generator of its tokens.
    func identity(_ number: Int) -> (device: DeviceID, activity: DeviceID, tokens: SplitMix64) {
        var phone = SplitMix64(seed: series &<< 40 ^ UInt64(number))
        let device = DeviceID(using: &phone)
        let activity = DeviceID(using: &phone)
        return (device, activity, phone)
    }

    /// The match of the phone of a number.
    func match(of number: Int) -> MatchID { matches[number % matches.count] }

    /// The registration that the phone of a number sends for the `round`th time, from 1, each time with a new token.
    func registration(_ number: Int, round: Int64) -> ActivityRegistration {
        var (device, activity, phone) = identity(number)
        var rotation = SplitMix64(seed: phone.next() ^ UInt64(bitPattern: round))
        let token = [UInt8](unsafeUninitializedCapacity: Self.tokenBytes) { bytes, count in
            while count < Self.tokenBytes {
                bytes[count] = UInt8(truncatingIfNeeded: rotation.next())
                count += 1
            }
        }
        return ActivityRegistration(
            device: device,
            match: match(of: number),
            activityID: ActivityID(unchecked: "\(activity)"),
            environment: .production,
            route: .token(PushToken(bytes: token) ?? Self.neverEmpty),
            startedAt: startedAt,
            clientSequence: round
        )
    }

    private static let neverEmpty = PushToken(hex: "00").unsafelyUnwrapped
}
