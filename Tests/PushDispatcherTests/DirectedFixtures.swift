// Starts, ends and notifications that several suites use.

import ScoreTypes

@testable import PushDispatcher

extension Fixture {
    /// A phone with its first token.
    static func recipient(_ number: Int) -> PushRecipient {
        PushRecipient(device: device(number), generation: 1, environment: .sandbox, token: token(number))
    }

    /// The start of an activity on a phone.
    static func start(_ number: Int) -> PushStart {
        PushStart(recipient(number), subscription: .token)
    }

    /// The content of started activities, with the current timestamp.
    static var startContent: StartContent {
        StartContent(
            match: match,
            revision: Revision(epoch: epoch, number: 1),
            apnsTimestamp: ServiceClock().wall.seconds,
            contentState: Fixture.contentState(1),
            attributesType: "LiveActivityAttributes",
            attributes: Array("{\"matchId\":\"m1\"}".utf8),
            alert: PushAlert(title: "MI v CSK", body: "Follow every ball")
        )
    }

    /// A notification with an alert of the given text.
    static func notification(_ body: String = "45(32)") -> NotificationContent {
        let alert = #""alert":{"title":"Wicket","body":"\#(body)"}"#
        return NotificationContent(
            payload: Array(#"{"aps":{\#(alert)}}"#.utf8),
            passivePayload: Array(#"{"aps":{\#(alert),"interruption-level":"passive"}}"#.utf8),
            collapseID: body
        )
    }

    /// The end of a phone's activity, with the current timestamp.
    static func end(_ number: Int) -> PushEnd {
        PushEnd(
            recipient(number),
            content: EndContent(
                match: match,
                revision: Revision(epoch: epoch, number: 1),
                apnsTimestamp: ServiceClock().wall.seconds,
                contentState: Fixture.contentState(1)
            )
        )
    }
}
