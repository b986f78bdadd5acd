// A server and a simulated APNs must agree on key, certificate, app and ports; this makes all of them at once.

public import Foundation
internal import HTTP2
public import ScoreTypes

/// Why the files of a test account could not be written.
public enum APNsTestAccountError: Error, CustomStringConvertible {
    /// A file cannot be written.
    case notWritable(path: String)

    /// One sentence with the way out.
    public var description: String {
        switch self {
        case .notWritable(let path): "\(path) cannot be written; choose a folder that this user may write to."
        }
    }
}

/// The account of one app at a running APNs simulator on 127.0.0.1, with a new signing key and a new certificate.
public struct APNsTestAccount: Sendable {
    /// The address that the simulator listens on.
    public static let host = "127.0.0.1"
    /// The bundle id of the app.
    public static let bundleID = "app.score.demo"
    /// The Swift type of the activity's attributes in the app.
    public static let attributesType = "LiveActivityAttributes"
    private static let keyID = "DEMOKEY001"
    private static let teamID = "DEMOTEAM01"

    /// The simulator; the caller stops it.
    public let simulator: APNsSimulator
    private let keyFile: String
    private let authorityFile: String

    /// Makes key and certificate, writes them to a folder, and starts the simulator.
    ///
    /// - Parameters:
    ///   - folder: An existing folder, in which `apns.p8` and `authority.pem` are written for their owner alone.
    ///   - clock: Measures the age of provider tokens and the times of pushes.
    ///   - isRateLimited: Whether too many pushes to one token or channel in a minute are answered 429.
    /// - Returns: The account.
    /// - Throws: `SigningKeyPairError`, `APNsTestAccountError`, and the errors of TLS and of listening.
    public static func open(
        in folder: URL,
        clock: ServiceClock = ServiceClock(),
        isRateLimited: Bool = false
    ) async throws -> APNsTestAccount {
        let key = try SigningKeyPair()
        let identity = try TLSIdentity.selfSigned(commonName: "Simulated APNs", addresses: [host])
        let keyFile = folder.appending(path: "apns.p8").path
        let authorityFile = folder.appending(path: "authority.pem").path
        try write(key.privatePEM, to: keyFile)
        try write(identity.certificatePEM, to: authorityFile)
        var configuration = APNsSimulatorConfiguration(
            bundleID: bundleID,
            teamID: teamID,
            keyID: keyID,
            publicKeyPEM: key.publicPEM,
            identity: identity
        )
        if isRateLimited { configuration.pushesPerMinute = APNsSimulatorConfiguration.usualPushesPerMinute }
        let simulator = try await APNsSimulator.start(configuration, clock: clock)
        return APNsTestAccount(simulator: simulator, keyFile: keyFile, authorityFile: authorityFile)
    }

    /// The environment variables of a server that pushes to the simulator.
    public var serverSettings: [String: String] {
        [
            "SIMULATION_ALLOWED": "true",
            "APNS_PUSH_HOST": Self.host,
            "APNS_PUSH_PORT": "\(simulator.pushPort)",
            "APNS_BROADCAST_PORT": "\(simulator.pushPort)",
            "APNS_MANAGE_HOST": Self.host,
            "APNS_MANAGE_PORT": "\(simulator.managementPort)",
            "APNS_CA_FILE": authorityFile,
            "APNS_KEY_FILE": keyFile,
            "APNS_KEY_ID": Self.keyID,
            "APNS_TEAM_ID": Self.teamID,
            "APNS_BUNDLE_ID": Self.bundleID,
            "APNS_ATTRIBUTES_TYPE": Self.attributesType,
        ]
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(APNsTestAccountError) {
        let isWritten = FileManager.default.createFile(
            atPath: path,
            contents: Data(bytes),
            attributes: [.posixPermissions: 0o600]
        )
        guard isWritten else { throw .notWritable(path: path) }
    }
}
