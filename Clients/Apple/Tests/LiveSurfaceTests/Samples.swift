// Snapshots of our own, one of each kind, for the rules that must hold where no published fixture lies at hand.

/// Valid objects of each kind.
enum Samples {
    private static func frame(_ kind: String, _ slice: [String: Any]) -> [String: Any] {
        [
            "schemaVersion": "5", "kind": kind, "id": "match-1@7", "surfaceId": "match-1",
            "updatedAt": "2026-11-21T09:30:00Z", "state": "active", kind: slice,
        ]
    }

    static let link = "score://match/1"
    static var activity: [String: Any] {
        frame(
            "liveActivity",
            [
                "title": "MI 87/6", "body": "MI need 83 from 45 balls", "progress": 0.8, "deepLink": link,
                "modeLabel": "83 off 45", "contextLabel": "Premier League", "statusLine": "need 83 (45)",
                "actionLabel": "Open", "stage": "inProgress", "estimatedSeconds": 1800, "morePartsCount": 0,
            ]
        )
    }
    static var widget: [String: Any] {
        frame(
            "widget",
            [
                "title": "MI 87/6", "body": "", "progress": 0, "deepLink": link, "family": "systemMedium",
                "reloadPolicy": "afterDate",
            ]
        )
    }
    static var control: [String: Any] {
        frame(
            "control",
            ["label": "Follow", "deepLink": link, "controlKind": "toggle", "state": false, "intent": "FollowMatch"]
        )
    }
    static var accessory: [String: Any] {
        frame(
            "lockAccessory",
            [
                "title": "MI 87/6", "deepLink": link, "family": "accessoryCircular", "gaugeValue": 1,
                "shortText": "87/6",
            ]
        )
    }
    static var standby: [String: Any] {
        frame(
            "standby",
            [
                "title": "MI 87/6", "body": "need 83", "progress": 1, "deepLink": link, "presentation": "night",
                "tint": "monochrome",
            ]
        )
    }
    static var notification: [String: Any] {
        frame(
            "notification",
            [
                "title": "Wicket!", "subtitle": "MI 87/6", "body": "Rohit Sharma c Kohli b Bumrah 45(32)",
                "deepLink": link, "category": "surface-update", "threadId": "match-1",
                "interruptionLevel": "timeSensitive", "relevanceScore": 0.9, "targetContentId": "match-1",
            ]
        )
    }

    /// Kind and object of all six.
    static var all: [(kind: String, object: [String: Any])] {
        [
            ("liveActivity", activity), ("widget", widget), ("control", control), ("lockAccessory", accessory),
            ("standby", standby), ("notification", notification),
        ]
    }
}

extension [String: Any] {
    /// The object with one value put, or taken away for nil.
    func with(_ key: String, _ value: Any?) -> [String: Any] {
        var object = self
        object[key] = value
        return object
    }

    /// The same within the object at `slice`.
    func with(_ slice: String, _ key: String, _ value: Any?) -> [String: Any] {
        with(slice, (self[slice] as? [String: Any])?.with(key, value))
    }
}
