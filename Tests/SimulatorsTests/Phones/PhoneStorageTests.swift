// The storage and the clock of simulated phones.

import Foundation
import ScoreClient
import ScoreTypes
import TestSupport
import Testing

@testable import Simulators

struct PhoneStorageTests {
    @Test func theStorageOutlivesTheClient() throws {
        let storage = PhoneStorage()
        #expect(try storage.read() == nil && storage.records.read() == nil)
        try storage.write("ssd1.a")
        try storage.records.write(Data("{}".utf8))
        #expect(try storage.read() == "ssd1.a" && storage.records.read() == Data("{}".utf8))
        try storage.remove()
        #expect(try storage.read() == nil)
    }

    @Test func aLockedStorageKeepsTheCredential() throws {
        let storage = PhoneStorage()
        try storage.write("ssd1.a")
        storage.isLocked = true
        #expect(throws: CredentialStoreError.locked) { try storage.read() }
        #expect(throws: CredentialStoreError.locked) { try storage.remove() }
        storage.isLocked = false
        #expect(try storage.read() == "ssd1.a")
    }

    @Test func theClockMayBeWrongAndRunsFastWithinItsBound() {
        let manual = ManualClock()
        let fast = PhoneClock(manual.clock(speed: 2_000), error: .seconds(-3_600))
        let slow = PhoneClock(manual.clock(speed: 2))
        #expect(slow.now.wall - fast.now.wall == 3_600_000)
        let (before, beforeSlow) = (fast.now, slow.now)
        manual.advance(by: .seconds(10))
        #expect(fast.now.uptime - before.uptime == .seconds(10) * SimulatorLimits.phoneSpeed)
        #expect(fast.now.wall - before.wall == 10_000 * Int64(SimulatorLimits.phoneSpeed))
        #expect(slow.now.uptime - beforeSlow.uptime == .seconds(20))
    }
}
