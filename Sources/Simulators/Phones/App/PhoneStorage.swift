// The storage of a phone outlives its app: the Keychain with the credential, the client's record, the App Group.

import Foundation
public import ScoreClient
import Synchronization

/// The durable storage of one phone's app.
public final class PhoneStorage: CredentialStore {
    fileprivate struct State {
        var credential: String?
        var record: Data?
        var texts: [String: String] = [:]
        var numbers: [String: Int64] = [:]
        var isLocked = false
    }

    fileprivate let state = Mutex(State())

    /// Makes the storage of an app that was just installed.
    public init() {}

    /// The store of the client's record.
    public var records: RecordStore {
        RecordStore(
            read: { [self] in state.withLock { $0.record } },
            write: { [self] data in state.withLock { $0.record = data } }
        )
    }

    /// Whether the Keychain is locked, as after a reboot until the person unlocks the phone.
    public var isLocked: Bool {
        get { state.withLock { $0.isLocked } }
        set { state.withLock { $0.isLocked = newValue } }
    }

    /// The stored credential; nil when there is none.
    ///
    /// - Throws: `CredentialStoreError.locked`.
    public func read() throws(CredentialStoreError) -> String? {
        let (credential, isLocked) = state.withLock { ($0.credential, $0.isLocked) }
        if isLocked { throw .locked }
        return credential
    }

    /// Stores a credential in place of the previous one.
    ///
    /// - Throws: `CredentialStoreError.locked`.
    public func write(_ credential: String) throws(CredentialStoreError) {
        try change { $0.credential = credential }
    }

    /// Removes the credential.
    ///
    /// - Throws: `CredentialStoreError.locked`.
    public func remove() throws(CredentialStoreError) {
        try change { $0.credential = nil }
    }

    private func change(_ body: (inout State) -> Void) throws(CredentialStoreError) {
        let isLocked = state.withLock { state in
            if !state.isLocked { body(&state) }
            return state.isLocked
        }
        if isLocked { throw .locked }
    }
}

/// The App Group: app and widget extension read and write it.
extension PhoneStorage: SharedStore {
    /// A text; nil when there is none.
    public func text(_ key: String) -> String? { state.withLock { $0.texts[key] } }

    /// A number; nil when there is none.
    public func number(_ key: String) -> Int64? { state.withLock { $0.numbers[key] } }

    /// Stores a text; nil removes the value.
    public func set(_ text: String?, for key: String) { state.withLock { $0.texts[key] = text } }

    /// Stores a number; nil removes the value.
    public func set(_ number: Int64?, for key: String) { state.withLock { $0.numbers[key] = number } }
}
