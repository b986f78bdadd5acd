// The notification service extension: a notification also refreshes widgets, although the app does not run.

import Foundation
import LiveSurface
import ScoreClient
import UserNotifications

final class NotificationService: UNNotificationServiceExtension {
    private var refresh: Task<Void, Never>?

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        // The system gives both to this call alone.
        nonisolated(unsafe) let deliver = contentHandler
        nonisolated(unsafe) let content = request.content
        let notification = NotificationPayload(userInfo: content.userInfo)
        refresh = Task {
            if let notification {
                let changed = await ScoreBoard.surfaces.refresh(after: notification, over: ScoreBoard.transport)
                ScoreBoard.reload(changed)
            }
            deliver(content)
        }
    }

    /// The cancelled refresh delivers the notification at once.
    override func serviceExtensionTimeWillExpire() { refresh?.cancel() }
}
