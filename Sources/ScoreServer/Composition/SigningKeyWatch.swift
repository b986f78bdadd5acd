// A signing key is replaced without a restart: its file becomes a link to another one, or is renamed.

import Foundation
import Logging
import PushDispatcher
import ScoreTypes
import Synchronization

/// Watches the key's file, and passes on a key with another id.
///
/// Apple names its files `AuthKey_<key id>.p8`; `APNS_KEY_FILE` is a link to one, or its name is changed in place.
final class SigningKeyWatch: Sendable {
    private let file: String
    private let interval: Duration
    private let use: @Sendable (SigningKey, String) async -> Void
    /// The id of the key in use.
    private let current: Mutex<String>
    private static let log = Logger(label: "score.signing")

    /// - Parameters:
    ///   - file: The key's file, or a link to it.
    ///   - keyID: The id of the key at the node's start.
    ///   - interval: Real time between two looks.
    ///   - use: Signs with another key from now on; a second call with the same key has no effect.
    init(
        file: String,
        keyID: String,
        interval: Duration = ServerLimits.signingKeyInterval,
        use: @escaping @Sendable (SigningKey, String) async -> Void
    ) {
        (self.file, self.interval, self.use) = (file, interval, use)
        current = Mutex(keyID)
    }

    /// Watches until cancelled.
    func run() async {
        var refused: String?
        while !Task.isCancelled {
            try? await Task.sleep(for: interval)
            do throws(SigningError) {
                if case .replaced = try await reload() { refused = nil }
            } catch {
                let found = Self.keyID(behind: file)
                if refused != found { Self.log.error("signing key not replaced", metadata: ["error": "\(error)"]) }
                refused = found
            }
        }
    }

    /// Looks at the file now, and uses its key if it is another one.
    ///
    /// - Throws: `SigningError` when the file cannot be used; the key in use stays.
    func reload() async throws(SigningError) -> KeyReload {
        guard let (key, id) = try replacement(for: current.withLock({ $0 })) else { return .unchanged }
        await use(key, id)
        current.withLock { $0 = id }
        Self.log.notice("signing key replaced", metadata: ["key.id": "\(id)"])
        return .replaced(id)
    }

    /// The key behind the file's path; nil when it is the one in use.
    func replacement(for current: String) throws(SigningError) -> (key: SigningKey, id: String)? {
        guard let found = Self.keyID(behind: file) else { throw .nameWithoutID(path: file) }
        guard found != current else { return nil }
        return (try SigningKey(contentsOfFile: file), found)
    }

    /// The id in the name of the file behind a path; nil when the name has none.
    static func keyID(behind path: String) -> String? {
        let name = URL(filePath: path).resolvingSymlinksInPath().lastPathComponent
        return name.wholeMatch(of: #/AuthKey_([0-9A-Z]{10})\.p8/#).map { String($0.1) }
    }
}
