// A changed link replaces the key of a running node; a key that others can read is never used.

import COpenSSL
import Foundation
import ScoreTypes
import Simulators
import Synchronization
import TestSupport
import Testing

@testable import PushDispatcher
@testable import ScoreServer

@Suite(.timeLimit(.minutes(1)))
struct SigningKeyWatchTests {
    @Test("S42: a changed link replaces the key once") func aChangedLinkReplacesTheKeyOnce() async throws {
        let folder = try KeyFolder()
        try folder.write("AuthKey_AAAAAAAAAA.p8")
        try folder.write("AuthKey_BBBBBBBBBB.p8")
        try folder.point(at: "AuthKey_AAAAAAAAAA.p8")
        let signer = try Signer(folder.link, "AAAAAAAAAA")
        let watch = SigningKeyWatch(file: folder.link, interval: .milliseconds(5)) { signer.use($0, $1) }
        let work = Task { await watch.run() }
        try folder.point(at: "AuthKey_BBBBBBBBBB.p8")
        try await eventually("the other key is used") { signer.ids == ["AAAAAAAAAA", "BBBBBBBBBB"] }
        // The first key again is another change; a key is not used twice in a row.
        try folder.point(at: "AuthKey_AAAAAAAAAA.p8")
        try await eventually("the first key is used again") {
            signer.ids == ["AAAAAAAAAA", "BBBBBBBBBB", "AAAAAAAAAA"]
        }
        work.cancel()
        await work.value
    }

    @Test("A20: an unusable key is refused with an error, and a good one is used at once")
    func anOrderReadsTheFileAtOnce() async throws {
        let folder = try KeyFolder()
        try folder.write("AuthKey_AAAAAAAAAA.p8")
        try folder.write("AuthKey_BBBBBBBBBB.p8", mode: 0o644)
        try folder.point(at: "AuthKey_AAAAAAAAAA.p8")
        let signer = try Signer(folder.link, "AAAAAAAAAA")
        let watch = SigningKeyWatch(file: folder.link) { signer.use($0, $1) }
        #expect(try await watch.reload() == .unchanged)
        try folder.point(at: "AuthKey_BBBBBBBBBB.p8")
        let error = SigningError.readableByOthers(path: folder.path(of: "AuthKey_BBBBBBBBBB.p8"))
        await #expect(throws: error) { try await watch.reload() }
        try folder.setMode(0o600, of: "AuthKey_BBBBBBBBBB.p8")
        #expect(try await watch.reload() == .replaced("BBBBBBBBBB"))
        #expect(try await watch.reload() == .unchanged && signer.ids == ["AAAAAAAAAA", "BBBBBBBBBB"])
    }

    @Test("a key that is corrected under the same name is used") func aKeyCorrectedUnderItsNameIsUsed() async throws {
        let folder = try KeyFolder()
        try folder.write("AuthKey_AAAAAAAAAA.p8")
        try folder.point(at: "AuthKey_AAAAAAAAAA.p8")
        let signer = try Signer(folder.link, "AAAAAAAAAA")
        let watch = SigningKeyWatch(file: folder.link) { signer.use($0, $1) }
        try folder.write("AuthKey_AAAAAAAAAA.p8")
        #expect(try await watch.reload() == .replaced("AAAAAAAAAA"))
        #expect(try await watch.reload() == .unchanged && signer.ids == ["AAAAAAAAAA", "AAAAAAAAAA"])
    }

    @Test("A20, S39: a key that others can read is refused") func aKeyReadableByOthersIsRefused() async throws {
        let folder = try KeyFolder()
        try folder.write("AuthKey_BBBBBBBBBB.p8", mode: 0o644)
        try folder.point(at: "AuthKey_BBBBBBBBBB.p8")
        let watch = SigningKeyWatch(file: folder.link) { _, _ in true }
        let error = SigningError.readableByOthers(path: folder.path(of: "AuthKey_BBBBBBBBBB.p8"))
        await #expect(throws: error) { try await watch.reload() }
        try folder.setMode(0o600, of: "AuthKey_BBBBBBBBBB.p8")
        #expect(try await watch.reload() == .replaced("BBBBBBBBBB"))
    }

    @Test("A20: an order to read a key without an id in its name fails, since no change can be noticed")
    func aKeyWithoutIDIsNotReloaded() async throws {
        let folder = try KeyFolder()
        try folder.write("apns.p8")
        try folder.point(at: "apns.p8")
        let watch = SigningKeyWatch(file: folder.link) { _, _ in true }
        await #expect(throws: SigningError.nameWithoutID(path: folder.link)) { try await watch.reload() }
    }

    @Test(arguments: ["key.p8", "AuthKey_SHORT.p8", "AuthKey_lowercase0.p8", "AuthKey_AAAAAAAAAA.pem"])
    func otherNamesContainNoKeyID(name: String) {
        #expect(SigningKeyWatch.keyID(in: URL(filePath: "/nowhere/" + name)) == nil)
    }
}

/// The keys that were used, one after another.
private final class Signer: Sendable {
    private let used: Mutex<[(id: String, digest: [UInt8])]>

    /// Starts with the key of a file.
    init(_ file: String, _ id: String) throws {
        used = Mutex([(id, try SigningKey(contentsOfFile: file).publicDigest)])
    }

    var ids: [String] { used.withLock { $0.map(\.id) } }

    /// False for the key in use, as `Dispatcher.use` answers.
    func use(_ key: SigningKey, _ id: String) -> Bool {
        used.withLock { used in
            if let last = used.last, last == (id, key.publicDigest) { return false }
            used.append((id, key.publicDigest))
            return true
        }
    }
}

/// Keys under Apple's file names, and a link to one of them.
private final class KeyFolder {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "score-keys-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var link: String { path(of: "key.p8") }

    func path(of name: String) -> String { folder.appending(path: name).path }

    func write(_ name: String, mode: Int = 0o600) throws {
        let pair = try SigningKeyPair()
        try Data(pair.privatePEM).write(to: folder.appending(path: name))
        try setMode(mode, of: name)
    }

    func setMode(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: mode],
            ofItemAtPath: folder.appending(path: name).path
        )
    }

    /// Replaces the link at once, as `ln -sf` and a rename do.
    func point(at name: String) throws {
        let next = folder.appending(path: "next").path
        try FileManager.default.createSymbolicLink(atPath: next, withDestinationPath: name)
        guard rename(next, link) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
