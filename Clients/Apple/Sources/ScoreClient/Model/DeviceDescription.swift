// A device as the app describes it at registration and after each change.

/// The properties of the device and the person's settings, as the app reports them.
public struct DeviceDescription: Codable, Sendable, Hashable {
    /// The APNs environment of the build.
    public enum Environment: String, Codable, Sendable, Hashable {
        /// Builds from Xcode.
        case sandbox
        /// TestFlight and the App Store.
        case production
    }

    /// Hours without notifications, by the clock of ``timeZone``: `22:30` until `07:00`.
    public struct QuietHours: Codable, Sendable, Hashable {
        /// The beginning, with two digits each for hour and minute.
        public var from: String
        /// The end.
        public var until: String

        /// Makes quiet hours from two different times of day.
        public init(from: String, until: String) {
            self.from = from
            self.until = until
        }
    }

    /// `ios`, `ipados`, `macos` or `watchos`.
    public var platform: String
    /// The bundle identifier of the app.
    public var bundleId: String
    /// `CFBundleVersion`.
    public var appBuild: String
    /// The version of the system.
    public var osVersion: String
    /// The model of the device; nil to keep it from the server.
    public var model: String?
    /// An IANA time zone.
    public var timeZone: String?
    /// The APNs environment of the build.
    public var apnsEnvironment: Environment
    /// The versions of the content state that the app decodes.
    public var contentSchemaVersions: [Int]
    /// The version of the table of notification texts in the app's `Localizable.strings`; 0 for none.
    ///
    /// The server sends keys of the table to an app that has all of its keys, and English texts to others.
    public var stringsVersion: Int
    /// Whether the person allows Live Activities.
    public var liveActivitiesEnabled: Bool
    /// Whether the person allows frequent updates.
    public var frequentPushesEnabled: Bool
    /// Whether the person allows notifications.
    public var alertsEnabled: Bool
    /// Whether the system has broadcast channels, from iOS 18 on.
    public var channelsSupported: Bool
    /// Hours without notifications; nil for none.
    public var quietHours: QuietHours?

    /// Makes a description.
    public init(
        platform: String = "ios",
        bundleId: String,
        appBuild: String,
        osVersion: String,
        model: String? = nil,
        timeZone: String? = nil,
        apnsEnvironment: Environment,
        contentSchemaVersions: [Int] = [1, 2],
        stringsVersion: Int = 0,
        liveActivitiesEnabled: Bool = true,
        frequentPushesEnabled: Bool = false,
        alertsEnabled: Bool = true,
        channelsSupported: Bool = false,
        quietHours: QuietHours? = nil
    ) {
        self.platform = platform
        self.bundleId = bundleId
        self.appBuild = appBuild
        self.osVersion = osVersion
        self.model = model
        self.timeZone = timeZone
        self.apnsEnvironment = apnsEnvironment
        self.contentSchemaVersions = contentSchemaVersions
        self.stringsVersion = stringsVersion
        self.liveActivitiesEnabled = liveActivitiesEnabled
        self.frequentPushesEnabled = frequentPushesEnabled
        self.alertsEnabled = alertsEnabled
        self.channelsSupported = channelsSupported
        self.quietHours = quietHours
    }

    /// Whether the activities of the device are on channels: the server names none where frequent updates are not
    /// allowed.
    var usesChannels: Bool { channelsSupported && frequentPushesEnabled }

    /// The members that may change after the registration.
    var patch: Patch { patch(sequence: nil) }

    /// The body of `PATCH /v1/devices/me`; without a number for a comparison.
    func patch(sequence: Int64?) -> Patch {
        Patch(
            appBuild: appBuild,
            osVersion: osVersion,
            timeZone: timeZone,
            contentSchemaVersions: contentSchemaVersions,
            stringsVersion: stringsVersion,
            liveActivitiesEnabled: liveActivitiesEnabled,
            frequentPushesEnabled: frequentPushesEnabled,
            alertsEnabled: alertsEnabled,
            channelsSupported: channelsSupported,
            quietHours: Patch.Hours(from: quietHours?.from, until: quietHours?.until),
            clientSeq: sequence
        )
    }

    /// The members that may change after the registration.
    struct Patch: Encodable, Hashable {
        /// An object without members ends the quiet hours.
        struct Hours: Encodable, Hashable {
            var from: String?
            var until: String?
        }

        var appBuild: String
        var osVersion: String
        var timeZone: String?
        var contentSchemaVersions: [Int]
        var stringsVersion: Int
        var liveActivitiesEnabled: Bool
        var frequentPushesEnabled: Bool
        var alertsEnabled: Bool
        var channelsSupported: Bool
        var quietHours: Hours
        var clientSeq: Int64?
    }
}
