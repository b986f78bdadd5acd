// A client names a team as an answer names it; the provider's own abbreviation may be another one.

import MatchEngine
import MatchJournal

extension MatchView {
    /// The side that a client names by the team's id, by its abbreviation in answers, or by that of the provider.
    func side(named text: String) -> Side? {
        Side.allCases.first { info.team($0).id == text }
            ?? Side.allCases.first { publication.state.abbreviations[$0] == text }
            ?? Side.allCases.first { info.team($0).abbreviation == text }
    }
}
