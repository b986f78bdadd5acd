// The controls: one follows the match of the widgets or ends the follow, the other one opens it.

import AppIntents
import Foundation
import LiveSurface
import ScoreClient
import SwiftUI
import WidgetKit

struct FollowControl: ControlWidget {
    var body: some ControlWidgetConfiguration {
        StaticControlConfiguration(kind: "Follow", provider: FollowedMatchProvider()) { followed in
            ControlWidgetToggle(
                followed.label,
                isOn: followed.isFollowed,
                action: FollowMatchIntent(match: followed.match)
            ) { isOn in
                Label(isOn ? "Following" : "Not following", systemImage: "cricket.ball")
            }
        }
    }
}

struct OpenControl: ControlWidget {
    var body: some ControlWidgetConfiguration {
        StaticControlConfiguration(kind: "Open", provider: FollowedMatchProvider()) { followed in
            ControlWidgetButton(action: OpenMatchIntent(link: followed.link)) {
                Label(followed.label, systemImage: "sportscourt")
            }
        }
    }
}

/// The match of the controls, which stays when the person ends the follow, so that a second tap follows it again.
struct FollowedMatchProvider: ControlValueProvider {
    struct Value {
        var label = "Match"
        var match = ""
        // swift-format-ignore: NeverForceUnwrap
        var link = URL(string: "score://")!
        var isFollowed = false
    }

    let previewValue = Value()

    func currentValue() async throws -> Value {
        guard let control = ScoreBoard.surfaces.current(ControlValue.self)?.entry,
            let link = URL(string: control.deepLink), let match = MatchLink(link)?.match
        else { return Value(match: ScoreBoard.group.text("control.match") ?? "") }
        ScoreBoard.group.set(match, for: "control.match")
        return Value(label: control.label, match: match, link: link, isFollowed: true)
    }
}
