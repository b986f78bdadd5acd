// What a demo was asked for.

import ScoreTypes

/// The options of `score-server demo`.
struct DemoOptions: Sendable {
    /// Path of a Cricsheet file; nil plays the project's own match.
    var matchFile: String?
    var speed: Int
    var followers: Int
    var channelShare: Double
    var exitsWhenFinished: Bool
    var keepsFolder: Bool
    var printsJSON: Bool
}
