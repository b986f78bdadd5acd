// The app: one client for its whole life, given to the views.

import ScoreActivityKit
import ScoreClient
import SwiftUI
import UserNotifications
import WidgetKit

@main
struct ScoreBoardApp: App {
    @UIApplicationDelegateAdaptor private var delegate: AppDelegate
    @Environment(\.scenePhase) private var phase

    var body: some Scene {
        WindowGroup {
            MatchList(client: delegate.client)
        }
        .onChange(of: phase) { _, phase in
            if phase == .active { Task { await delegate.client.enterForeground() } }
        }
    }
}

/// Owns the client, since the system launches the app for pushes without any view.
final class AppDelegate: NSObject, UIApplicationDelegate {
    // swift-format-ignore: NeverForceUnwrap
    let client = LiveScoreClient(
        transport: URLSessionTransport(base: URL(string: "https://score.example")!),
        credentials: KeychainStore(service: "score"),
        records: .file(.applicationSupportDirectory.appending(path: "score.json")),
        host: ActivityKitHost(),
        surfaces: SharedSurfaces(AppGroupDefaults("group.example.score"))
    )

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        try? FileManager.default.createDirectory(at: .applicationSupportDirectory, withIntermediateDirectories: true)
        Task { await client.run() }
        Task { await describe(application) }
        Task {
            for await notice in client.notices {
                if case .surfacesChanged = notice { WidgetCenter.shared.reloadAllTimelines() }
            }
        }
        return true
    }

    private func describe(_ application: UIApplication) async {
        let center = UNUserNotificationCenter.current()
        let isAllowed = (try? await center.requestAuthorization(options: [.alert, .sound])) ?? false
        await client.describe(.ofThisDevice(environment: .sandbox, alertsEnabled: isAllowed))
        application.registerForRemoteNotifications()
    }

    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data) {
        let digits = token.map { String(format: "%02x", $0) }.joined()
        Task { await client.setAlertToken(digits) }
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        await client.receiveBackgroundPush() ? .newData : .failed
    }
}
