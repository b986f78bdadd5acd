// A score stands in the table and, as a copy, on every ball that has it.

import MatchEngine
import ScoreTypes

extension SportmonksCatalogue.Entry {
    /// Writes the members of the score.
    func write(to json: inout JSONWriter) {
        let runs = meaning.runs
        let isWicket = meaning.kind.map { $0 != .retiredHurt && $0 != .retiredNotOut } ?? false
        json.field("resource", "scores")
        json.field("id", id)
        json.field("name", name)
        json.field("runs", runs.bat + runs.wides + runs.noBalls + runs.penalty)
        json.field("four", meaning.isBoundary && runs.bat == 4)
        json.field("six", meaning.isBoundary && runs.bat == 6)
        json.field("bye", runs.byes)
        json.field("leg_bye", runs.legByes)
        json.field("noball", runs.noBalls > 0 ? 1 : 0)
        json.field("noball_runs", runs.noBalls)
        json.field("is_wicket", isWicket)
        json.field("ball", meaning.isBall && runs.wides == 0 && runs.noBalls == 0)
        json.field("out", isWicket)
    }
}
