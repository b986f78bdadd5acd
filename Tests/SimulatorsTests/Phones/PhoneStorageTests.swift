// The storage of a simulated phone outlives its app.

import Foundation
import ScoreClient
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
}
