// A kind of surface has several forms; the server renders the requested one, and an app names it in the query.

/// A kind of surface with its size, shape, action or colours.
public enum SurfaceForm: Hashable, Sendable {
    /// A Live Activity.
    case liveActivity
    /// A Home Screen widget of a size.
    case widget(SurfaceSnapshot.WidgetFamily)
    /// A control with an action; `isOn` is the value of a toggle, nil for other controls.
    case control(SurfaceSnapshot.ControlKind, isOn: Bool?)
    /// A Lock Screen accessory of a shape.
    case lockAccessory(SurfaceSnapshot.AccessoryFamily)
    /// A StandBy card with colours; nil chooses by day and night.
    case standby(SurfaceSnapshot.Tint?)
    /// A notification.
    case notification

    /// The intent of a toggle, by its name in the app.
    public static let toggleIntent = "FollowMatchIntent"
    /// The intent of a button, by its name in the app.
    public static let buttonIntent = "OpenMatchIntent"

    /// The form of a kind that a request without further parameters reads.
    public init(_ kind: SurfaceSnapshot.Kind) {
        switch kind {
        case .liveActivity: self = .liveActivity
        case .widget: self = .widget(.systemMedium)
        case .control: self = .control(.deepLink, isOn: nil)
        case .lockAccessory: self = .lockAccessory(.accessoryRectangular)
        case .standby: self = .standby(nil)
        case .notification: self = .notification
        }
    }

    /// The kind of surface.
    public var kind: SurfaceSnapshot.Kind {
        switch self {
        case .liveActivity: .liveActivity
        case .widget: .widget
        case .control: .control
        case .lockAccessory: .lockAccessory
        case .standby: .standby
        case .notification: .notification
        }
    }

    /// The parameters of the form in the query of `GET /v1/matches/{id}/surfaces/{kind}`.
    public var parameters: [(name: String, value: String)] {
        switch self {
        case .liveActivity, .notification: []
        case .widget(let family): [("family", family.rawValue)]
        case .lockAccessory(let family): [("family", family.rawValue)]
        case .standby(let tint): tint.map { [("tint", $0.rawValue)] } ?? []
        case .control(let action, let isOn):
            [("controlKind", action.rawValue)] + (isOn.map { [("state", $0 ? "true" : "false")] } ?? [])
        }
    }

    /// The text that distinguishes the form from others of its kind; nil for the form of ``init(_:)``.
    public var variant: String? {
        guard self != SurfaceForm(kind) else { return nil }
        return parameters.map(\.value).joined(separator: "-")
    }
}
