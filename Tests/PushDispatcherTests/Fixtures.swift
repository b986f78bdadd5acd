// Fixtures of this target's tests: a clock that a test moves, tokens, publications, keys.

import COpenSSL
import ScoreTypes
import TestSupport

@testable import PushDispatcher

enum Fixture {
    static let match = MatchID(unchecked: "m1")
    /// The commit of each publication.
    static let committedAt = Instant(milliseconds: 1_800_000_000_000)
    /// A clock at the time of the commit.
    static var clock: ManualClock { ManualClock(wallAtZero: committedAt, monotonicAtZero: .seconds(1000)) }
    static let epoch: Epoch = {
        var generator = SystemRandomNumberGenerator()
        return Epoch("abcdefgh") ?? Epoch(using: &generator)
    }()

    static func publication(
        _ revision: Int64,
        match: MatchID = Fixture.match,
        state: UInt64? = nil,
        alert key: String? = nil,
        priority: PushPriority? = nil,
        cause: PushCause = .ordinary,
        isFinal: Bool = false
    ) -> PushPublication {
        PushPublication(
            match: match,
            revision: Revision(epoch: epoch, number: revision),
            apnsTimestamp: 1_800_000_000 + revision,
            contentState: contentState(revision),
            stateHash: state ?? UInt64(revision),
            alertKey: key,
            alert: key.map { PushAlert(title: "Wicket", body: $0) },
            priority: priority ?? (key == nil ? .five : .ten),
            isFinal: isFinal,
            committedAt: committedAt,
            cause: cause
        )
    }

    /// A content state that phones decode; the number of a drawing is a member that they ignore.
    static func contentState(_ revision: Int64, picture: UInt64? = nil) -> [UInt8] {
        let picture = picture.map { ",\"picture\":\($0)" } ?? ""
        let json = """
            {"v":1,"rev":\(revision),"matchDisplayState":"live","compactLeading":{"teamAbbr":"A","score":"1/0"},\
            "compactTrailing":{"text":"0.1 ov"},"minimal":{"text":"1/0"},"expanded":{"teams":[],"line":"x"},\
            "lockScreen":{"line":"x"},"small":{"top":"a","bottom":"b","line":"c"}\(picture)}
            """
        return Array(json.utf8)
    }

    /// A publication that a phone would show now: its timestamp is not ahead of the clock.
    static func current(
        _ revision: Int64,
        match: MatchID = Fixture.match,
        state: UInt64? = nil,
        alert key: String? = nil,
        cause: PushCause = .ordinary,
        isFinal: Bool = false
    ) -> PushPublication {
        var publication = publication(
            revision,
            match: match,
            state: state,
            alert: key,
            cause: cause,
            isFinal: isFinal
        )
        let now = ServiceClock().wall
        publication.apnsTimestamp = now.seconds - 1000 + revision
        publication.committedAt = now
        return publication
    }

    static func publish(_ revision: Int64, activeAlert: ActiveAlert? = nil, isFinal: Bool = false) throws
        -> EncodedPublication
    {
        try EncodedPublication(
            plan: PublicationPlan(
                publication: publication(revision, isFinal: isFinal),
                priority: activeAlert?.revision == revision ? .ten : .five,
                activeAlert: activeAlert
            )
        )
    }

    static func activeAlert(_ key: String, _ revision: Int64, reach: AlertReach = .everybody) -> ActiveAlert {
        ActiveAlert(
            key: key,
            alert: PushAlert(title: "Wicket", body: key),
            reach: reach,
            revision: revision,
            priority: .ten,
            at: .zero
        )
    }

    static func device(_ number: Int) -> DeviceID {
        var generator = SplitMix64(seed: UInt64(number))
        return DeviceID(using: &generator)
    }

    static func token(_ number: Int, byteCount: Int = 32) -> PushToken {
        let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 4))) }
        return PushToken(bytes: bytes) ?? PushToken(bytes: [1]) ?? token(number, byteCount: 32)
    }

    /// The key that all nodes of a test sign with, as PEM.
    static let sharedKeyPEM = keyPEM()

    /// A fresh P-256 key as PEM.
    static func keyPEM(curve: String = "P-256") -> [UInt8] {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil), let memory = BIO_new(BIO_s_mem()) else {
            return []
        }
        defer {
            EVP_PKEY_CTX_free(context)
            BIO_free(memory)
        }
        var key: OpaquePointer?
        EVP_PKEY_keygen_init(context)
        EVP_PKEY_CTX_set_group_name(context, curve)
        EVP_PKEY_generate(context, &key)
        defer { EVP_PKEY_free(key) }
        PEM_write_bio_PrivateKey(memory, key, nil, nil, 0, nil, nil)
        var data: UnsafeMutablePointer<CChar>?
        let count = bio_mem_data(memory, &data)
        guard let data, count > 0 else { return [] }
        return UnsafeBufferPointer(start: data, count: count).map(UInt8.init(bitPattern:))
    }

    /// Whether a 64-byte P-256 signature belongs to a message, verified by OpenSSL.
    static func verifies(_ signature: [UInt8], of message: [UInt8], pem: [UInt8]) -> Bool {
        let memory = pem.withUnsafeBytes { BIO_new_mem_buf($0.baseAddress, Int32($0.count)) }
        let key = PEM_read_bio_PrivateKey(memory, nil, nil, nil)
        let context = EVP_MD_CTX_new()
        let parts = ECDSA_SIG_new()
        defer {
            BIO_free(memory)
            EVP_PKEY_free(key)
            EVP_MD_CTX_free(context)
            ECDSA_SIG_free(parts)
        }
        guard signature.count == 64 else { return false }
        ECDSA_SIG_set0(
            parts,
            BN_bin2bn(Array(signature.prefix(32)), 32, nil),
            BN_bin2bn(Array(signature.suffix(32)), 32, nil)
        )
        var der: UnsafeMutablePointer<UInt8>?
        let count = i2d_ECDSA_SIG(parts, &der)
        guard count > 0, EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
        return EVP_DigestVerify(context, der, Int(count), message, message.count) == 1
    }
}
