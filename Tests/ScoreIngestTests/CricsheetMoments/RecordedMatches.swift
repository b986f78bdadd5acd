// Reads recorded matches with the adapter of Cricsheet's documents.

import Foundation
import MatchEngine
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

/// The matches of an archive of recorded data.
enum RecordedMatches {
    /// Reads the matches of an archive.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - ids: The wanted matches; all when empty. An id without a match is left out.
    /// - Returns: The matches by id.
    /// - Throws: When there is no archive, it cannot be unpacked, or a document cannot be read.
    static func read(_ archive: MatchArchive, ids: Set<String> = []) throws -> [String: MatchSnapshot] {
        var found: [String: MatchSnapshot] = [:]
        for (id, url) in try archive.files(ids: ids) {
            found[id] = try CricsheetAdapter().snapshot(Array(try Data(contentsOf: url)))
        }
        return found
    }
}

extension MatchSnapshot {
    /// The match after its first `count` deliveries, without the facts that follow them.
    func replica(through count: Int) -> MatchReplica {
        var replica = MatchReplica()
        var changes: [Change] = [.info(info)]
        let balls = deliveries.prefix(count)
        let begun = balls.last?.innings ?? 0
        for var frame in innings where frame.ordinal <= begun {
            // A feed reports the end of an innings after its last ball.
            if frame.ordinal == begun && count < deliveries.count { frame.isClosed = false }
            changes.append(.innings(frame))
        }
        replica.apply(changes + balls.map(Change.inserted))
        return replica
    }

    /// The whole match.
    var replica: MatchReplica {
        var replica = MatchReplica()
        replica.apply(
            [.info(info)] + innings.map(Change.innings) + deliveries.map(Change.inserted)
                + [.status(status), .result(result)]
        )
        return replica
    }
}
