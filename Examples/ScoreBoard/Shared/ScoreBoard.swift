// The names and calls that the app and its extensions share.

import Foundation
import LiveSurface
import ScoreClient
import WidgetKit

enum ScoreBoard {
    // swift-format-ignore: NeverForceUnwrap
    static let transport = URLSessionTransport(base: URL(string: "https://score.example")!)
    static let group = AppGroupDefaults("group.example.score")
    static let surfaces = SharedSurfaces(group)

    /// Draws widgets and controls again.
    static func reload(_ kinds: Set<SurfaceSnapshot.Kind>) {
        if kinds.contains(.control) { ControlCenter.shared.reloadAllControls() }
        if kinds != [.control], !kinds.isEmpty { WidgetCenter.shared.reloadAllTimelines() }
    }
}
