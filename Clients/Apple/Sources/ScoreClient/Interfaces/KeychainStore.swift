// On Apple platforms the credential is in the Keychain and never leaves the device.

#if canImport(Security)
    internal import Foundation
    internal import Security

    /// A credential in the Keychain, readable after the first unlock so that a start in the background can use it.
    public struct KeychainStore: CredentialStore {
        private let service: String
        private let accessGroup: String?

        /// Names the item; extensions of the app share it with an access group.
        public init(service: String, accessGroup: String? = nil) {
            self.service = service
            self.accessGroup = accessGroup
        }

        /// The stored credential; nil when there is none.
        ///
        /// - Throws: `CredentialStoreError.locked` before the first unlock, `failed` with the code of the Keychain.
        public func read() throws(CredentialStoreError) -> String? {
            var query = item
            query[kSecReturnData] = true
            query[kSecMatchLimit] = kSecMatchLimitOne
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            try Self.check(status)
            return (found as? Data).map { String(decoding: $0, as: UTF8.self) }
        }

        /// Stores a credential in place of the previous one.
        ///
        /// - Throws: `CredentialStoreError.locked` before the first unlock, `failed` with the code of the Keychain.
        public func write(_ credential: String) throws(CredentialStoreError) {
            let value: [CFString: Any] = [
                kSecValueData: Data(credential.utf8),
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            let status = SecItemUpdate(item as CFDictionary, value as CFDictionary)
            guard status == errSecItemNotFound else { return try Self.check(status) }
            try Self.check(SecItemAdd(item.merging(value) { $1 } as CFDictionary, nil))
        }

        /// Removes the credential.
        ///
        /// - Throws: `CredentialStoreError.locked` before the first unlock, `failed` with the code of the Keychain.
        public func remove() throws(CredentialStoreError) {
            let status = SecItemDelete(item as CFDictionary)
            if status != errSecItemNotFound { try Self.check(status) }
        }

        private var item: [CFString: Any] {
            var item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "device",
            ]
            if let accessGroup { item[kSecAttrAccessGroup] = accessGroup }
            return item
        }

        private static func check(_ status: OSStatus) throws(CredentialStoreError) {
            switch status {
            case errSecSuccess: return
            case errSecInteractionNotAllowed: throw .locked
            default: throw .failed(status)
            }
        }
    }
#endif
