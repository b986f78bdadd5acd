// A wicket taken back moves every later wicket up by one; none of them may be told again for that.

internal import MatchEngine

/// What makes two moments of a match the same happening: the key, or for wickets the innings, and the person.
struct MomentIdentity: Hashable, Sendable, Codable {
    private let family: String
    private let subject: String

    /// The happening that a moment tells.
    init(_ moment: Moment) { self.init(key: moment.key, subject: moment.subject) }

    /// The happening that the ledger says was told.
    init(_ told: ToldMoment) { self.init(key: told.key, subject: told.subject) }

    /// A person is out once in an innings, so the ordinal of `w:<innings>:<n>` says nothing about who is meant; only
    /// over time may it be twice, and `SpentMoment` tells those apart.
    private init(key: MomentKey, subject: String) {
        let text = key.text
        let end = text.hasPrefix("w:") ? text.lastIndex(of: ":") : nil
        family = String(text[..<(end ?? text.endIndex)])
        self.subject = subject
    }
}
