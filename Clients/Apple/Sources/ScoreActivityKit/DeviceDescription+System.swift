// The description of this device, so that an app names only what the system does not know.

public import Foundation
internal import LiveSurface
public import ScoreClient

#if canImport(ActivityKit) && os(iOS)
    internal import ActivityKit
#endif

extension DeviceDescription {
    /// Describes this device and this build of the app.
    ///
    /// - Parameters:
    ///   - environment: The APNs environment of the build: `sandbox` from Xcode, `production` from TestFlight and the
    ///     App Store.
    ///   - alertsEnabled: Whether the person allows notifications.
    ///   - quietHours: Hours without notifications; nil for none.
    ///   - bundle: The app's bundle.
    /// - Returns: The description, with the permissions and the features of this system.
    public static func ofThisDevice(
        environment: Environment,
        alertsEnabled: Bool,
        quietHours: QuietHours? = nil,
        bundle: Bundle = .main
    ) -> DeviceDescription {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        let allowed = permission
        return DeviceDescription(
            platform: platformName,
            bundleId: bundle.bundleIdentifier ?? "",
            appBuild: bundle.object(forInfoDictionaryKey: "CFBundleVersion") as? String ?? "0",
            osVersion: "\(version.majorVersion).\(version.minorVersion)",
            timeZone: TimeZone.current.identifier,
            apnsEnvironment: environment,
            stringsVersion: stringsVersion(of: bundle),
            liveActivitiesEnabled: allowed.liveActivities,
            frequentPushesEnabled: allowed.frequentPushes,
            alertsEnabled: alertsEnabled,
            channelsSupported: hasChannels,
            quietHours: quietHours
        )
    }

    /// The version that the table names in the language of the person; 0 when that language has no table.
    private static func stringsVersion(of bundle: Bundle) -> Int {
        Int(bundle.localizedString(forKey: NotificationKey.versionName, value: nil, table: nil)) ?? 0
    }

    private static var platformName: String {
        #if os(macOS)
            "macos"
        #elseif os(watchOS)
            "watchos"
        #else
            "ios"
        #endif
    }

    private static var permission: ActivityPermission {
        #if canImport(ActivityKit) && os(iOS)
            if #available(iOS 16.2, *) { return ActivityKitSystem.permission }
        #endif
        return ActivityPermission(liveActivities: false, frequentPushes: false)
    }

    private static var hasChannels: Bool {
        #if canImport(ActivityKit) && os(iOS)
            if #available(iOS 18.0, *) { return true }
        #endif
        return false
    }
}
