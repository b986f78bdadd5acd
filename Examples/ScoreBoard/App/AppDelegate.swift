// Owns the client, since the system launches the app for pushes, starts of activities and controls without any view.

import AppIntents
import Foundation
import LiveSurface
import Network
import Observation
import ScoreActivityKit
import ScoreClient
import UIKit
import UserNotifications

/// The newest message for the person.
@MainActor @Observable
final class Messages {
    var text: String?
}

final class AppDelegate: NSObject, UIApplicationDelegate {
    // begin client
    let client = LiveScoreClient(
        transport: ScoreBoard.transport,
        credentials: KeychainStore(service: "score"),
        records: .applicationSupport("score.json"),
        host: ActivityKitHost(),
        surfaces: ScoreBoard.surfaces
    )
    // end client
    let messages = Messages()
    private let notifications = NotificationDelegate()

    // begin launch
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let client = client
        AppDependencyManager.shared.add(dependency: client)
        notifications.register(client)
        Task { await client.run() }
        Task { await describe(application) }
        Task { await readNotices() }
        Task { for await path in NWPathMonitor() where path.status == .satisfied { await client.networkReturned() } }
        return true
    }
    // end launch

    /// Registers the phone after an erasure; only the person may decide it.
    func registerAgain() async {
        Consent.isGiven = true
        await describe(.shared)
    }

    /// Describes the device at each start, since permissions and build may have changed; quiet hours stay.
    ///
    /// A description registers a phone, so that an erased one is not described.
    private func describe(_ application: UIApplication) async {
        guard Consent.isGiven else { return }
        let center = UNUserNotificationCenter.current()
        let isAllowed = (try? await center.requestAuthorization(options: [.alert, .sound])) ?? false
        #if DEBUG
            let environment = DeviceDescription.Environment.sandbox
        #else
            let environment = DeviceDescription.Environment.production
        #endif
        let quietHours = await client.device?.quietHours
        await client.describe(
            .ofThisDevice(environment: environment, alertsEnabled: isAllowed, quietHours: quietHours)
        )
        application.registerForRemoteNotifications()
    }

    // begin pushes
    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data) {
        Task { await client.setAlertToken(token) }
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        await client.receiveBackgroundPush() ? .newData : .failed
    }
    // end pushes

    private func readNotices() async {
        for await notice in client.notices {
            switch notice {
            case .surfacesChanged(let kinds): ScoreBoard.reload(kinds)
            case .followRefused(_, let reason): messages.text = "The match is not followed: \(reason)"
            case .updateRequired: messages.text = "Update the app to follow matches"
            case .changeRefused(_, let status, _): messages.text = "The server refused a change (\(status))"
            case .registrationRefused(let status, let slug):
                messages.text = "The server refused this phone (\(slug ?? "\(status)"))"
            default: break
            }
        }
    }
}
