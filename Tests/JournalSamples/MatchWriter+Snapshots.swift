// Most tests care for the picture alone, not for whose it is.

import MatchEngine
import ScoreTypes

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

extension MatchWriter {
    /// Takes a picture of the feed that the writer was made for.
    func accept(_ snapshot: MatchSnapshot, seenAt: Instant) async throws(JournalError) -> Acceptance {
        try await accept(SeenReply(snapshot, seenAt: seenAt, source: JournalSource(.cricsheet, feed)))
    }
}
