// The closed lists of words that a snapshot may use.

extension SurfaceSnapshot {
    /// Where a snapshot is drawn.
    public enum Kind: String, SurfaceWord {
        case liveActivity, widget, control, lockAccessory, standby, notification
    }

    /// Where its subject stands in its life.
    public enum State: String, SurfaceWord {
        case queued, active, paused
        /// The person should look.
        case attention
        /// The person should not be interrupted now.
        case badTiming = "bad_timing"
        /// Nothing more will come.
        case completed
    }

    /// How far a Live Activity has come.
    public enum Stage: String, SurfaceWord { case prompted, inProgress, completing }

    /// The size of a widget.
    public enum WidgetFamily: String, SurfaceWord { case systemSmall, systemMedium, systemLarge }

    /// When a widget asks for its next timeline.
    public enum ReloadPolicy: String, SurfaceWord { case manual, afterDate }

    /// What a control does when it is pressed.
    public enum ControlKind: String, SurfaceWord { case toggle, button, deepLink }

    /// The shape of a Lock Screen accessory.
    public enum AccessoryFamily: String, SurfaceWord { case accessoryCircular, accessoryRectangular, accessoryInline }

    /// How a StandBy card is shown.
    public enum Presentation: String, SurfaceWord { case card, night }

    /// How a StandBy card is coloured.
    public enum Tint: String, SurfaceWord { case `default`, monochrome }

    /// The registered notification categories; an app registers the same.
    public enum Category: String, SurfaceWord { case surfaceUpdate = "surface-update" }

    /// How loudly a notification comes.
    public enum InterruptionLevel: String, SurfaceWord {
        case passive, active, timeSensitive, critical

        /// The word that APNs knows; the snapshot's own `timeSensitive` would be taken for nothing.
        public var apnsWord: String { self == .timeSensitive ? "time-sensitive" : rawValue }
    }
}
