// The server has to store the last choices of a person in the end, whatever the network did in between.

import ScoreClient
import ScoreTypes
import Simulators

/// The last choices of a person.
struct PersonChoices: Sendable {
    /// The matches that the person has followed or unfollowed; nil for an unfollowed one.
    private(set) var follows: [String: FollowChoices?] = [:]
    /// The tokens that the system has reported, hexadecimal digits; nil for a removed one.
    private(set) var tokens: [DeviceTokenName: String?] = [:]
    /// The device with its permissions and quiet hours.
    private(set) var description = Self.device
    /// Whether the person erases the device; until that is done they choose nothing else.
    private(set) var isErasing = false

    private static let device = DeviceDescription(
        bundleId: APNsTestAccount.bundleID,
        appBuild: "7",
        osVersion: "18.1",
        model: "iPhone17,1",
        timeZone: "Asia/Kolkata",
        apnsEnvironment: .sandbox,
        channelsSupported: true
    )

    /// The person chooses something; the event for the app.
    mutating func choose(using random: inout SplitMix64) -> ClientEvent {
        let match = "m\(Int.random(in: 0..<HistoryMatches.count, using: &random))"
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<35: return follow(match, using: &random)
        case 35..<55:
            follows[match] = .some(nil)
            return .unfollowed(match: match)
        case 55..<70: return token(using: &random)
        case 70..<88: return describe(using: &random)
        case 88..<96: return .rotationRequested
        default:
            isErasing = true
            return .erased
        }
    }

    /// The device is erased; the next choice begins a new one.
    mutating func noteErasure() {
        isErasing = false
        follows = follows.mapValues { _ in nil }
        tokens = tokens.mapValues { _ in nil }
    }

    private mutating func follow(_ match: String, using random: inout SplitMix64) -> ClientEvent {
        var choices = FollowChoices()
        // In the order of declaration, since that of a set differs from process to process.
        choices.moments = Set(FollowChoices.Moment.allCases.filter { _ in random.chance(50) })
        choices.surfaces = Set(FollowChoices.Surface.allCases.filter { _ in random.chance(80) })
        choices.liveActivity = random.chance(80)
        choices.teamIntent = random.chance(40) ? HistoryMatches.team(Int.random(in: 0...1, using: &random)) : nil
        follows[match] = .some(choices)
        return .followed(match: match, choices)
    }

    private mutating func token(using random: inout SplitMix64) -> ClientEvent {
        let name: DeviceTokenName = random.chance(70) ? .alert : random.chance(70) ? .pushToStart : .widget
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let token = random.chance(80) ? Hex.string(bytes) : nil
        tokens[name] = .some(token)
        return .token(name, token)
    }

    private mutating func describe(using random: inout SplitMix64) -> ClientEvent {
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            let hours = DeviceDescription.QuietHours(
                from: "2\(Int.random(in: 0...3, using: &random)):30",
                until: "07:00"
            )
            description.quietHours = random.chance(60) ? hours : nil
        case 1: description.alertsEnabled = random.chance(50)
        case 2: description.liveActivitiesEnabled = random.chance(50)
        case 3: description.stringsVersion = random.chance(50) ? 1 : 0
        default: description.timeZone = random.chance(50) ? "Europe/London" : "Asia/Kolkata"
        }
        return .described(description)
    }
}

extension SplitMix64 {
    /// Whether an event of a probability in percent happens.
    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}
