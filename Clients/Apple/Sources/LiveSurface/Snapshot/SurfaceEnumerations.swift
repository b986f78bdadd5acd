// The closed enumerations of a snapshot.

extension SurfaceSnapshot {
    /// The kind of surface.
    public enum Kind: String, SurfaceEnumeration {
        case liveActivity, widget, control, lockAccessory, standby, notification
    }

    /// The state of the subject.
    public enum State: String, SurfaceEnumeration {
        case queued, active, paused
        /// The person should look at it.
        case attention
        /// The person should not be interrupted now.
        case badTiming = "bad_timing"
        /// The subject has ended.
        case completed
    }

    /// The stage of a Live Activity.
    public enum Stage: String, SurfaceEnumeration { case prompted, inProgress, completing }

    /// The size of a widget.
    public enum WidgetFamily: String, SurfaceEnumeration { case systemSmall, systemMedium, systemLarge }

    /// When a widget requests its next timeline.
    public enum ReloadPolicy: String, SurfaceEnumeration { case manual, afterDate }

    /// The action of a control.
    public enum ControlKind: String, SurfaceEnumeration { case toggle, button, deepLink }

    /// The shape of a Lock Screen accessory.
    public enum AccessoryFamily: String, SurfaceEnumeration {
        case accessoryCircular, accessoryRectangular, accessoryInline
    }

    /// The presentation of a StandBy card.
    public enum Presentation: String, SurfaceEnumeration { case card, night }

    /// The colours of a StandBy card.
    public enum Tint: String, SurfaceEnumeration { case `default`, monochrome }

    /// The registered notification categories; an app registers the same ones.
    public enum Category: String, SurfaceEnumeration { case surfaceUpdate = "surface-update" }

    /// The interruption level of a notification.
    public enum InterruptionLevel: String, SurfaceEnumeration {
        case passive, active, timeSensitive, critical

        /// The value for APNs, which does not know the spelling `timeSensitive`.
        public var apnsWord: String { self == .timeSensitive ? "time-sensitive" : rawValue }
    }
}
