// Every limit of this target: value, unit, reason, and what happens when it is reached.

/// The bounds of the host of activities.
enum ActivityLimits {
    /// Events that wait for the client, which reads them at once; beyond it the oldest one is dropped, and the next
    /// list of activities repairs the loss.
    static let waitingEvents = 256
    /// Activities that the app started or ended itself and that are remembered; the system shows five at once, and the
    /// oldest one is forgotten.
    static let rememberedActivities = 64
}
