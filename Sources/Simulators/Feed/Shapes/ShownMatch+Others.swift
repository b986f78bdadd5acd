// An id that a provider gives to a second match shows that one under the first one's name.

internal import Providers

extension ShownMatch {
    /// The same play by other sides, as if the id were theirs.
    func ofOthers() -> ShownMatch {
        var match = self
        let other = { (team: String) in "\(team) Second" }
        match.document.info.teams = document.info.teams.map(other)
        match.document.info.players = document.info.players.map { players in
            Dictionary(players.map { (other($0.key), $0.value) }) { first, _ in first }
        }
        match.document.info.toss?.winner = document.info.toss.map { other($0.winner) } ?? ""
        match.document.info.outcome?.winner = document.info.outcome?.winner.map(other)
        match.document.info.outcome?.eliminator = document.info.outcome?.eliminator.map(other)
        match.document.info.outcome?.bowlOut = document.info.outcome?.bowlOut.map(other)
        for index in match.document.innings.indices {
            match.document.innings[index].team = other(document.innings[index].team)
        }
        return match
    }
}
