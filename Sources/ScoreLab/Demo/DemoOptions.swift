// The command line and the run share these values.

/// The options of `score-lab demo`.
struct DemoOptions: Sendable {
    /// Path of a Cricsheet file; nil plays the project's own match.
    var matchFile: String?
    /// How many times real time.
    var speed: Int
    /// Number of phones.
    var followers: Int
    /// Part of the phones, 0 to 1, that is updated through the broadcast channel.
    var channelShare: Double
    var exitsWhenFinished: Bool
    var keepsFolder: Bool
}
