// UIKit calls an app at these occasions; the simulated system calls the app half of a phone.

/// The reason for which the system runs the app.
public enum AppLaunchReason: Sendable, Hashable {
    /// The person opened it.
    case person
    /// A push has started an activity.
    case startedActivity
    /// A background push has arrived.
    case backgroundPush
}

/// A message of the system to the app's widget extension, which runs without the app.
public enum WidgetSignal: Sendable, Hashable {
    /// The token for reloads by push has changed; hexadecimal digits, nil without a widget on the screens.
    case token(String?)
    /// WidgetKit requests new timelines.
    case reload
}

/// A message of the system to the app's process.
public enum AppSignal: Sendable, Hashable {
    /// The process has begun; for another reason than the person it runs in the background for a moment.
    case launched(AppLaunchReason)
    case enteredForeground
    case enteredBackground
    /// The process is frozen: its clock and its network stand still.
    case suspended
    /// The frozen process runs for a moment in the background.
    case resumed(AppLaunchReason)
    case receivedBackgroundPush
    /// The device token for notifications; hexadecimal digits.
    case alertToken(String)
    case networkReturned
    /// The process is gone.
    case ended
}
