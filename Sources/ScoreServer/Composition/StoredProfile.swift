// What a phone says about itself beside what has a column: kept as one JSON object, read by support alone.

import Foundation
import ScoreTypes

/// The profile column of a device.
struct StoredProfile: Codable {
    var platform: String?
    var appBuild: String?
    var osVersion: String?
    var model: String?
    var locale: String?
    var timeZone: String?
    var contentSchemaVersions: [Int64]?

    init(_ profile: DeviceProfile) {
        platform = profile.platform
        appBuild = profile.appBuild
        osVersion = profile.osVersion
        model = profile.model
        locale = profile.locale
        timeZone = profile.timeZone
        contentSchemaVersions = profile.schemaVersions
    }

    /// Reads the column; what cannot be read counts as not said.
    init(_ bytes: [UInt8]) {
        if let read = try? JSONDecoder().decode(StoredProfile.self, from: Data(bytes)) { self = read }
    }

    /// The column's text.
    var bytes: [UInt8] {
        JSONWriter.document { json in
            json.field("platform", ifPresent: platform)
            json.field("appBuild", ifPresent: appBuild)
            json.field("osVersion", ifPresent: osVersion)
            json.field("model", ifPresent: model)
            json.field("locale", ifPresent: locale)
            json.field("timeZone", ifPresent: timeZone)
            guard let contentSchemaVersions else { return }
            json.key("contentSchemaVersions")
            json.array { json in for version in contentSchemaVersions { json.integer(version) } }
        }
    }
}
