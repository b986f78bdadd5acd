// The interface to the App Group, which the app writes and its extensions read.

internal import Foundation

/// Stores values by key; several processes use it.
public protocol SharedStore: Sendable {
    /// A text; nil when there is none.
    func text(_ key: String) -> String?

    /// A number; nil when there is none.
    func number(_ key: String) -> Int64?

    /// Stores a text; nil removes the value.
    func set(_ text: String?, for key: String)

    /// Stores a number; nil removes the value.
    func set(_ number: Int64?, for key: String)
}

/// The defaults of an App Group.
public struct AppGroupDefaults: SharedStore {
    private let group: String

    /// Names the App Group; app and extensions need its entitlement, else they read nothing.
    public init(_ group: String) { self.group = group }

    // `UserDefaults` is not Sendable on every platform, and the system keeps one copy for all instances.
    private var defaults: UserDefaults? { UserDefaults(suiteName: group) }

    /// A text; nil when there is none.
    public func text(_ key: String) -> String? { defaults?.string(forKey: key) }

    /// A number; nil when there is none.
    public func number(_ key: String) -> Int64? { (defaults?.object(forKey: key) as? NSNumber)?.int64Value }

    /// Stores a text; nil removes the value.
    public func set(_ text: String?, for key: String) { set(value: text, for: key) }

    /// Stores a number; nil removes the value.
    public func set(_ number: Int64?, for key: String) { set(value: number.map { NSNumber(value: $0) }, for: key) }

    private func set(value: Any?, for key: String) {
        guard let value else {
            defaults?.removeObject(forKey: key)
            return
        }
        defaults?.set(value, forKey: key)
    }
}
