// The interface to the store of the credential.

/// Stores the credential of the device.
public protocol CredentialStore: Sendable {
    /// The stored credential; nil when there is none.
    ///
    /// - Throws: `CredentialStoreError` when the store cannot be read now, for instance before the first unlock.
    func read() throws(CredentialStoreError) -> String?

    /// Stores a credential in place of the previous one.
    ///
    /// - Throws: `CredentialStoreError` when nothing was stored.
    func write(_ credential: String) throws(CredentialStoreError)

    /// Removes the credential.
    ///
    /// - Throws: `CredentialStoreError` when it is still stored.
    func remove() throws(CredentialStoreError)
}

/// A credential that could not be read or written.
public enum CredentialStoreError: Error, Sendable, Hashable {
    /// The device is locked; repeat after it was unlocked.
    case locked
    /// The store failed; the value is the system's code.
    case failed(Int32)
}
