import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

@Suite struct QuietHoursTests {
    /// Quiet hours in minutes, a second of the day, and whether it is quiet.
    private static let moments: [(from: Int16, until: Int16, second: Int64, isQuiet: Bool)] = [
        (1_320, 420, 82_800, true), (1_320, 420, 0, true), (1_320, 420, 25_199, true), (1_320, 420, 25_200, false),
        (1_320, 420, 79_199, false), (60, 120, 3_600, true), (60, 120, 7_200, false), (60, 120, 0, false),
        (0, 1_439, 86_399, false), (1, 0, 30, false),
    ]

    @Test func quietHoursMaySpanMidnight() throws {
        for moment in Self.moments {
            let quiet = try #require(QuietHours(from: moment.from, until: moment.until))
            #expect(quiet.contains(secondsOfDay: moment.second) == moment.isQuiet, "\(moment)")
        }
    }

    @Test func invalidTimesOfDayAreRefused() {
        #expect(QuietHours(from: 5, until: 5) == nil)
        #expect(QuietHours(from: -1, until: 5) == nil)
        #expect(QuietHours(from: 5, until: 1_440) == nil)
    }

    @Test func activitiesKnowWhetherTheirDeviceAllowsFrequentPushes() async throws {
        let store = try await Store()
        _ = try await store.devices.register(
            NewDevice(
                device: device(1),
                environment: .sandbox,
                bundleID: "app",
                abilities: [.activities, .frequentPushes, .alerts],
                credentialHash: [1]
            )
        )
        let registration = ActivityRegistration(
            device: device(1),
            match: .final,
            activityID: ActivityID(unchecked: "a"),
            environment: .sandbox,
            route: .token(try token(1)),
            startedAt: store.time.now,
            clientSequence: 1
        )
        func wish() async throws -> AlertWish {
            AlertWish(rawValue: UInt8(clamping: try await store.number(Statement("select wish from activity"))))
        }
        _ = try await store.activities.register(registration)
        #expect(try await wish() == .all)
        _ = try await store.devices.patch(device(1), DevicePatch(disabled: [.frequentPushes]))
        #expect(try await wish() == AlertWish(kinds: 15, isInfrequent: true))
        _ = try await store.follows.put(
            FollowSettings(match: .final, teamIntent: .first, alerts: [.wicket]),
            of: device(1),
            clientSequence: 1
        )
        #expect(try await wish() == AlertWish(kinds: 1, side: 1, isInfrequent: true))
        _ = try await store.devices.patch(device(1), DevicePatch(enabled: [.frequentPushes], disabled: [.alerts]))
        #expect(try await wish() == .none)
    }

    @Test func aPatchSetsAndClearsFieldsOfADevice() async throws {
        let store = try await Store()
        let night = try #require(QuietHours(from: 1_320, until: 420))
        _ = try await store.devices.register(
            NewDevice(
                device: device(1),
                environment: .sandbox,
                bundleID: "app",
                abilities: [.frequentPushes, .alerts],
                credentialHash: [1],
                quietHours: night
            )
        )
        #expect(try await store.devices.find(device(1))?.quietHours == night)
        let other = try await store.devices.patch(device(1), DevicePatch(disabled: [.alerts]))
        #expect(other?.quietHours == night, "a missing field stays unchanged")
        let later = try #require(QuietHours(from: 1_380, until: 420))
        #expect(try await store.devices.patch(device(1), DevicePatch(quietHours: later))?.quietHours == later)
        #expect(try await store.devices.patch(device(1), DevicePatch(quietHours: .some(nil)))?.quietHours == nil)
    }
}
