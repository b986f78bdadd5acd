// Notifications as the system delivers them to an app and its extensions.

internal import Foundation
public import LiveSurface

extension NotificationPayload {
    /// Reads the `userInfo` of a notification; nil when this server did not send it, or this app cannot decode it.
    ///
    /// - Parameter userInfo: The payload as the system has parsed it.
    public init?(userInfo: [AnyHashable: Any]) {
        guard JSONSerialization.isValidJSONObject(userInfo),
            let data = try? JSONSerialization.data(withJSONObject: userInfo),
            let payload = ClientJSON.decode(NotificationPayload.self, from: data)
        else { return nil }
        self = payload
    }

    /// The link to its match; nil when it names none.
    public var link: MatchLink? { URL(string: liveSurface.deepLink).flatMap(MatchLink.init) }
}
