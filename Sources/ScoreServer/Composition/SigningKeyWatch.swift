// A signing key is replaced without a restart: its file becomes a link to another one, or is renamed.

import Foundation
import Logging
import PushDispatcher
import ScoreTypes

/// Watches the key's file, and passes on a key with another id.
///
/// Apple names its files `AuthKey_<key id>.p8`; `APNS_KEY_FILE` is a link to one, or its name is changed in place.
struct SigningKeyWatch: Sendable {
    let file: String
    /// The id of the key at the node's start.
    let keyID: String
    var interval = ServerLimits.signingKeyInterval
    let use: @Sendable (SigningKey, String) async -> Void
    private static let log = Logger(label: "score.signing")

    /// Watches until cancelled.
    func run() async {
        var current = keyID
        var refused: String?
        while !Task.isCancelled {
            try? await Task.sleep(for: interval)
            do throws(SigningError) {
                guard let (key, id) = try replacement(for: current) else { continue }
                await use(key, id)
                Self.log.notice("signing key replaced", metadata: ["key.id": "\(id)"])
                (current, refused) = (id, nil)
            } catch {
                let found = Self.keyID(behind: file)
                if refused != found { Self.log.error("signing key not replaced", metadata: ["error": "\(error)"]) }
                refused = found
            }
        }
    }

    /// The key behind the file's path; nil when it is the one in use, or when its name has no id.
    func replacement(for current: String) throws(SigningError) -> (key: SigningKey, id: String)? {
        guard let found = Self.keyID(behind: file), found != current else { return nil }
        return (try SigningKey(contentsOfFile: file), found)
    }

    /// The id in the name of the file behind a path; nil when the name has none.
    static func keyID(behind path: String) -> String? {
        let name = URL(filePath: path).resolvingSymlinksInPath().lastPathComponent
        return name.wholeMatch(of: #/AuthKey_([0-9A-Z]{10})\.p8/#).map { String($0.1) }
    }
}
