// The longest id that the API allows.

import ScoreTypes

enum MatchIDs {
    static let longest = MatchID(String(repeating: "m", count: 64))
}
