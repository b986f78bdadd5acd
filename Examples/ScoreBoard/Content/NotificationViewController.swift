// The notification content extension: the long form of a notification, for the category `surface-update`.

import Foundation
import LiveSurface
import ScoreClient
import SwiftUI
import UIKit
import UserNotifications
import UserNotificationsUI

final class NotificationViewController: UIViewController, @preconcurrency UNNotificationContentExtension {
    func didReceive(_ notification: UNNotification) {
        let content = notification.request.content
        guard let payload = NotificationPayload(userInfo: content.userInfo) else { return }
        // The service extension has refreshed the snapshot; without one the notification has the score.
        let widget = payload.link.flatMap { ScoreBoard.surfaces.surface(WidgetEntry.self, of: $0.match) }
        let card = ScoreCard(
            score: widget?.entry.headline ?? content.subtitle,
            line: widget?.entry.subhead ?? "",
            moment: content.body,
            isOver: payload.liveSurface.state == .completed
        )
        let child = UIHostingController(rootView: card)
        addChild(child)
        child.view.frame = view.bounds
        child.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(child.view)
        child.didMove(toParent: self)
    }
}

struct ScoreCard: View {
    let score: String
    let line: String
    let moment: String
    let isOver: Bool

    var body: some View {
        VStack(alignment: .leading) {
            Text(score).font(.largeTitle)
            Text(moment).bold()
            Text(isOver ? "The match is over" : line)
        }
        .padding()
    }
}
