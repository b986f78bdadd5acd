// A withdrawn wicket changes the key of every later wicket; none of them may be announced again for that.

package import MatchEngine

/// The identity of a moment: its key, or for wickets the innings, and the person.
package struct MomentIdentity: Hashable, Sendable, Codable {
    private let family: String
    private let subject: String

    /// The event of a moment.
    package init(_ moment: Moment) { self.init(key: moment.key, subject: moment.subject) }

    /// The event of an announced moment.
    init(_ announced: AnnouncedMoment) { self.init(key: announced.key, subject: announced.subject) }

    /// A person is out once in an innings, so the ordinal of `w:<innings>:<n>` is no part of the identity; a second
    /// dismissal after a reprieve is recognized by `SettledMoment`.
    private init(key: MomentKey, subject: String) {
        let text = key.text
        let end = text.hasPrefix("w:") ? text.lastIndex(of: ":") : nil
        family = String(text[..<(end ?? text.endIndex)])
        self.subject = subject
    }
}
