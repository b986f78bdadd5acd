// The file of the credential: its mode, its replacement in one step, and what a crash leaves behind.

import Foundation
import Testing

@testable import ScoreClient

@Suite final class CredentialFileTests {
    private let folder: URL
    private let file: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("credential-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        file = folder.appendingPathComponent("credential")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var store: CredentialFile { CredentialFile(file) }

    private func mode() throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }

    @Test func onlyTheOwnerReadsTheFile() throws {
        let isMade = FileManager.default.createFile(
            atPath: file.path,
            contents: nil,
            attributes: [.posixPermissions: 0o644]
        )
        #expect(isMade)
        try store.write("first")
        #expect(try mode() == 0o600)
        try store.write("second")
        #expect(try mode() == 0o600)
        #expect(try store.read() == "second")
        try store.remove()
        try store.remove()
        #expect(try store.read() == nil)
    }

    @Test func aTornWriteKeepsTheCredential() throws {
        try store.write("first")
        // The app ended in the middle of a write.
        try Data("sec".utf8).write(to: folder.appendingPathComponent("credential.new"))
        #expect(try store.read() == "first")
        try store.write("second")
        #expect(try store.read() == "second")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["credential"])
    }

    @Test func aFailedWriteKeepsTheCredential() throws {
        try store.write("first")
        let obstacle = folder.appendingPathComponent("credential.new")
        try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: true)
        #expect(throws: CredentialStoreError.self) { try store.write("second") }
        #expect(try store.read() == "first")
    }

    @Test func aFileThatCannotBeReadIsNoAbsentCredential() throws {
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: file)
        #expect(throws: CredentialStoreError.self) { try store.read() }
        let below = CredentialFile(folder.appendingPathComponent("missing/credential"))
        #expect(try below.read() == nil)
        #expect(throws: CredentialStoreError.self) { try below.write("x") }
    }

    @Test func aRecordFileIsReplacedAndADamagedOneIsEmpty() throws {
        let records = RecordStore.file(file)
        #expect(try records.read() == nil)
        var rig = ClientRig(seed: 1)
        rig.launch()
        rig.feed(.followed(match: "a", FollowChoices()))
        let data = try #require(rig.stored.encoded)
        try records.write(data)
        #expect(ClientRecord(reading: try records.read()) == rig.stored)
        try records.write(data.dropLast())
        #expect(ClientRecord(reading: try records.read()) == ClientRecord())
    }

    @Test func aRecordOfTheAppIsInApplicationSupport() throws {
        let name = "score-\(UUID().uuidString)"
        let records = RecordStore.applicationSupport(name)
        #expect(try records.read() == nil)
        try records.write(Data([1]))
        #expect(try RecordStore.applicationSupport(name).read() == Data([1]))
        let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        try FileManager.default.removeItem(at: try #require(folders.first).appendingPathComponent(name))
    }
}
