// A phone's report about itself is one JSON object in the store; queries read its time zone and version of the texts.

internal import Foundation
internal import ScoreTypes

/// The profile column of a device; a nil member is not in the stored object.
public struct DeviceProfile: Sendable, Hashable, Codable {
    /// The operating system, such as `ios`.
    public var platform: String?
    /// The app's build number.
    public var appBuild: String?
    /// The version of the operating system, such as `18.2`.
    public var osVersion: String?
    /// The hardware model, such as `iPhone17,1`.
    public var model: String?
    /// The IANA name of the time zone, such as `Asia/Kolkata`.
    public var timeZone: String?
    /// The versions of the content state that the app decodes.
    public var contentSchemaVersions: [Int64]?
    /// The version of the app's table of notification texts; 0 without one.
    public var stringsVersion: Int64?

    /// Makes a profile.
    public init(
        platform: String? = nil,
        appBuild: String? = nil,
        osVersion: String? = nil,
        model: String? = nil,
        timeZone: String? = nil,
        contentSchemaVersions: [Int64]? = nil,
        stringsVersion: Int64? = nil
    ) {
        self.platform = platform
        self.appBuild = appBuild
        self.osVersion = osVersion
        self.model = model
        self.timeZone = timeZone
        self.contentSchemaVersions = contentSchemaVersions
        self.stringsVersion = stringsVersion
    }

    /// Reads the column; an object that does not decode counts as empty.
    init(json: [UInt8]) {
        self = (try? JSONDecoder().decode(DeviceProfile.self, from: Data(json))) ?? DeviceProfile()
    }

    /// The profile after a change, whose nil members change nothing.
    func merging(_ change: DeviceProfile) -> DeviceProfile {
        DeviceProfile(
            platform: change.platform ?? platform,
            appBuild: change.appBuild ?? appBuild,
            osVersion: change.osVersion ?? osVersion,
            model: change.model ?? model,
            timeZone: change.timeZone ?? timeZone,
            contentSchemaVersions: change.contentSchemaVersions ?? contentSchemaVersions,
            stringsVersion: change.stringsVersion ?? stringsVersion
        )
    }

    /// The JSON object.
    var json: [UInt8] { JSONWriter.document(self) }
}
