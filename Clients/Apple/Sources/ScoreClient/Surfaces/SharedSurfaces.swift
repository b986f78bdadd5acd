// The newest snapshots of the followed matches for widgets and controls, under the keys of the snapshot contract.

internal import Foundation
public import LiveSurface

/// A snapshot as an extension reads it.
public struct SharedSurface<Entry: SurfaceEnvelope>: Sendable, Hashable {
    /// The id by which the app selects it.
    public var id: String
    /// The content to draw.
    public var entry: Entry
    /// When the app last received it or learned that it is the newest one, in seconds since 1970.
    public var writtenAt: Int64

    /// Whether it is older than a day, so that the view should say so.
    ///
    /// - Parameter seconds: The time now, in seconds since 1970.
    /// - Returns: Whether it was written more than 24 hours before.
    public func isOld(at seconds: Int64) -> Bool { seconds &- writtenAt > ClientLimits.sharedSurfaceAge }
}

/// The snapshots in the App Group: the app writes them, a widget extension reads them.
///
/// A surface of a match has one snapshot for each kind, so that the id in a key is that of the surface and the kind:
/// `surface.snapshot.match-1.widget`, with the siblings `.writtenAt` and `.decodeError`.
public struct SharedSurfaces: Sendable {
    private static let index = "surface.snapshots"
    let store: any SharedStore

    /// Uses a store, on a phone ``AppGroupDefaults``.
    public init(_ store: any SharedStore) { self.store = store }

    /// The selected snapshot of a kind; nil when there is none that this app can decode.
    public func current<Entry: SurfaceEnvelope>(_ type: Entry.Type) -> SharedSurface<Entry>? {
        store.text(Self.pointer(Entry.kind)).flatMap { read(type, $0) }
    }

    /// All snapshots of a kind, the match with an activity first.
    public func all<Entry: SurfaceEnvelope>(_ type: Entry.Type) -> [SharedSurface<Entry>] {
        ids.filter { $0.hasSuffix(".\(Entry.kind.rawValue)") }.compactMap { read(type, $0) }
    }

    /// The snapshot of a match; nil when there is none that this app can decode.
    public func surface<Entry: SurfaceEnvelope>(_ type: Entry.Type, of match: String) -> SharedSurface<Entry>? {
        read(type, Self.id(Entry.kind, of: match))
    }

    /// Selects the match that widgets and controls show, for instance when the person opens it.
    ///
    /// A kind without a snapshot of the match keeps its selection.
    ///
    /// - Returns: The kinds whose selection has changed.
    @discardableResult
    public func select(match: String) -> Set<SurfaceSnapshot.Kind> {
        let stored = ids
        let changed = SurfaceSnapshot.Kind.allCases.filter { kind in
            let id = Self.id(kind, of: match)
            guard stored.contains(id), store.text(Self.pointer(kind)) != id else { return false }
            store.set(id, for: Self.pointer(kind))
            return true
        }
        return Set(changed)
    }

    /// Why a snapshot could not be decoded; nil when it could.
    public func decodeError(of id: String) -> String? { store.text("\(Self.key(id)).decodeError") }

    /// The ids of the stored snapshots.
    private(set) var ids: [String] {
        get {
            store.text(Self.index).flatMap { ClientJSON.decode([String].self, from: Data($0.utf8)) } ?? []
        }
        nonmutating set {
            store.set(ClientJSON.encode(newValue).map { String(decoding: $0, as: UTF8.self) }, for: Self.index)
        }
    }

    /// Stores a snapshot.
    ///
    /// - Returns: Its id, and whether it differs from the stored one; nil for a kind that no extension reads.
    func write(_ snapshot: SurfaceSnapshot, at seconds: Int64) -> (id: String, isNew: Bool)? {
        guard let data = Self.envelope(of: snapshot) else { return nil }
        let id = "\(snapshot.surfaceId).\(snapshot.kind.rawValue)"
        let text = String(decoding: data, as: UTF8.self)
        let isNew = store.text(Self.key(id)) != text
        if isNew {
            store.set(text, for: Self.key(id))
            store.set(String?.none, for: "\(Self.key(id)).decodeError")
        }
        store.set(seconds, for: "\(Self.key(id)).writtenAt")
        return (id, isNew)
    }

    /// Removes all other snapshots, and selects the first of a kind where the selected one is gone.
    ///
    /// - Returns: The kinds whose selection or number has changed.
    func retain(_ kept: [String]) -> Set<SurfaceSnapshot.Kind> {
        let gone = ids.filter { !kept.contains($0) }
        for id in gone {
            for suffix in ["", ".decodeError"] { store.set(String?.none, for: Self.key(id) + suffix) }
            store.set(Int64?.none, for: "\(Self.key(id)).writtenAt")
        }
        ids = kept
        var changed: Set<SurfaceSnapshot.Kind> = []
        for kind in SurfaceSnapshot.Kind.allCases {
            let suffix = ".\(kind.rawValue)"
            let selected = store.text(Self.pointer(kind))
            if gone.contains(where: { $0.hasSuffix(suffix) }) { changed.insert(kind) }
            if let selected, kept.contains(selected) { continue }
            let first = kept.first { $0.hasSuffix(suffix) }
            if first != selected {
                changed.insert(kind)
                store.set(first, for: Self.pointer(kind))
            }
        }
        return changed
    }

    private func read<Entry: SurfaceEnvelope>(_ type: Entry.Type, _ id: String) -> SharedSurface<Entry>? {
        guard let text = store.text(Self.key(id)), let writtenAt = store.number("\(Self.key(id)).writtenAt") else {
            return nil
        }
        do {
            let entry = try JSONDecoder().decode(type, from: Data(text.utf8))
            return SharedSurface(id: id, entry: entry, writtenAt: writtenAt)
        } catch {
            // The extension has no other way to report it to the app.
            store.set("\(error)", for: "\(Self.key(id)).decodeError")
            return nil
        }
    }

    /// The id of a match's snapshot, as the server names its surface.
    static func id(_ kind: SurfaceSnapshot.Kind, of match: String) -> String { "match-\(match).\(kind.rawValue)" }

    private static func key(_ id: String) -> String { "surface.snapshot.\(id)" }

    private static func pointer(_ kind: SurfaceSnapshot.Kind) -> String {
        "surface.\(kind.rawValue).currentSurfaceId"
    }

    private static func envelope(of snapshot: SurfaceSnapshot) -> Data? {
        switch snapshot.kind {
        case .widget: (try? snapshot.widgetEntry()).flatMap { ClientJSON.encode($0) }
        case .control: (try? snapshot.controlValue()).flatMap { ClientJSON.encode($0) }
        case .lockAccessory: (try? snapshot.lockAccessoryEntry()).flatMap { ClientJSON.encode($0) }
        case .standby: (try? snapshot.standbyEntry()).flatMap { ClientJSON.encode($0) }
        case .liveActivity, .notification: nil
        }
    }
}
