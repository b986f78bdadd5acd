// What a phone says about itself beside what has a column: kept as one JSON object, read by support alone.

import Foundation
import MatchEngine
import ScoreTypes

/// The profile column of a device.
struct StoredProfile: Codable {
    var platform: String?
    var appBuild: String?
    var osVersion: String?
    var model: String?
    var locale: String?
    var timeZone: String?
    /// When the person does not want to be interrupted, in minutes of the local day.
    var quietHours: QuietHours?

    init(_ profile: DeviceProfile) {
        platform = profile.platform
        appBuild = profile.appBuild
        osVersion = profile.osVersion
        model = profile.model
        locale = profile.locale
        timeZone = profile.timeZone
        quietHours = profile.quietHours
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
            if let quietHours {
                json.key("quietHours")
                json.object { hours in
                    hours.field("start", quietHours.start)
                    hours.field("end", quietHours.end)
                }
            }
        }
    }

    /// Whether the person of a profile is in quiet hours; nobody is without a profile.
    static func isQuiet(_ profile: [UInt8]?, at now: Instant) -> Bool {
        guard let profile else { return false }
        let stored = StoredProfile(profile)
        guard let hours = stored.quietHours else { return false }
        let zone = stored.timeZone.flatMap { TimeZone(identifier: $0) } ?? .gmt
        return hours.contains(now, offset: zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(now.seconds))))
    }
}
