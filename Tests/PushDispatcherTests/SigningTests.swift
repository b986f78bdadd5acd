// Provider tokens have the form that APNs requires, and their key is never printed.

import Glibc
import ScoreTypes
import Testing

@testable import PushDispatcher

@Suite struct SigningTests {
    @Test func aProviderTokenIsSignedAndHasANumericTimeAndItsKeyID() throws {
        let pem = Fixture.keyPEM()
        let key = try SigningKey(pem: pem)
        let text = try ProviderTokenText.signed(
            by: key,
            keyID: "ABCDE12345",
            teamID: "TEAM567890",
            issuedAt: 1_700_000_000
        )
        let parts = text.split(separator: ".").map(String.init)
        try #require(parts.count == 3)
        #expect(decoded(parts[0]) == #"{"alg":"ES256","kid":"ABCDE12345"}"#)
        #expect(decoded(parts[1]) == #"{"iss":"TEAM567890","iat":1700000000}"#)
        let signature = bytes(parts[2])
        #expect(signature.count == 64)
        let message = Array((parts[0] + "." + parts[1]).utf8)
        #expect(Fixture.verifies(signature, of: message, pem: pem))
        #expect(!Fixture.verifies(signature, of: message + [0], pem: pem))
    }

    @Test func signaturesAreAlwaysSixtyFourBytes() throws {
        let pem = Fixture.keyPEM()
        let key = try SigningKey(pem: pem)
        for number in 0..<300 {
            let message = Array("message \(number)".utf8)
            #expect(Fixture.verifies(try key.signature(of: message), of: message, pem: pem))
        }
    }

    @Test func keysOfOtherCurvesAndOtherTextAreRefused() {
        #expect(throws: SigningError.notP256) { try SigningKey(pem: Fixture.keyPEM(curve: "P-384")) }
        #expect(throws: SigningError.notAPrivateKey) { try SigningKey(pem: Array("hello".utf8)) }
        #expect(throws: SigningError.notAPrivateKey) { try SigningKey(pem: []) }
    }

    @Test("S39: a key file must be regular and private") func keyFileMustBeRegularAndPrivate() throws {
        let path = "/tmp/push-dispatcher-tests-\(getpid())-\(UInt32.random(in: 0 ... .max)).p8"
        defer { unlink(path) }
        let pem = Fixture.keyPEM()
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        try #require(descriptor >= 0)
        #expect(write(descriptor, pem, pem.count) == pem.count)
        close(descriptor)
        let key = try SigningKey(contentsOfFile: path)
        #expect("\(key)" == "‹signing key›")
        for mode in [0o640, 0o604] as [mode_t] {
            chmod(path, mode)
            #expect(throws: SigningError.readableByOthers(path: path)) { try SigningKey(contentsOfFile: path) }
        }
        // A credential of systemd and a secret of Kubernetes belong to root, and to the group of the server.
        if chown(path, 65_534, 65_534) == 0 {
            chmod(path, 0o640)
            #expect(throws: Never.self) { try SigningKey(contentsOfFile: path) }
            chmod(path, 0o644)
            #expect(throws: SigningError.readableByOthers(path: path)) { try SigningKey(contentsOfFile: path) }
        }
        #expect(throws: SigningError.notARegularFile(path: "/tmp")) { try SigningKey(contentsOfFile: "/tmp") }
        #expect(throws: SigningError.unreadable(path: "/nowhere")) { try SigningKey(contentsOfFile: "/nowhere") }
    }

    @Test func theFingerprintIsThatOfTheRawBytes() throws {
        let token = try #require(PushToken(bytes: Array("abc".utf8)))
        #expect(Fingerprint(of: token)?.text == "ba7816bf8f01")
    }

    private func decoded(_ part: String) -> String { String(decoding: bytes(part), as: UTF8.self) }

    private func bytes(_ part: String) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var (output, buffer, bits): ([UInt8], UInt32, UInt32) = ([], 0, 0)
        for letter in part {
            guard let value = alphabet.firstIndex(of: letter) else { return [] }
            buffer = buffer << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                output.append(UInt8(truncatingIfNeeded: buffer >> bits))
            }
        }
        return output
    }
}
