// Taps on notifications: the system calls this object, also when a tap launches the app.

import Foundation
import LiveSurface
import ScoreClient
import UIKit
import UserNotifications

@MainActor
final class NotificationDelegate: NSObject {
    private var client: LiveScoreClient?

    /// Registers the category of the server's notifications with a button, and this object for taps.
    func register(_ client: LiveScoreClient) {
        self.client = client
        let button = UNNotificationAction(identifier: "unfollow", title: "Unfollow", options: [])
        let category = UNNotificationCategory(
            identifier: "surface-update",
            actions: [button],
            intentIdentifiers: [],
            options: []
        )
        UNUserNotificationCenter.current().setNotificationCategories([category])
        UNUserNotificationCenter.current().delegate = self
    }

    private func open(_ notification: NotificationPayload, action: String) async {
        guard let client, let link = notification.link else { return }
        if action == "unfollow" {
            await client.unfollow(link.match)
            _ = await client.receiveBackgroundPush()
        } else if let url = URL(string: notification.liveSurface.deepLink) {
            await UIApplication.shared.open(url)
        }
    }
}

extension NotificationDelegate: UNUserNotificationCenterDelegate {
    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        // The system gives it to this call alone, and may suspend the app after it is called.
        nonisolated(unsafe) let done = completionHandler
        let action = response.actionIdentifier
        let notification = NotificationPayload(userInfo: response.notification.request.content.userInfo)
        Task { @MainActor in
            if let notification { await open(notification, action: action) }
            done()
        }
    }
}
