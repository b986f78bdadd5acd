// A match with one feed needs no choice among feeds: its writer takes the replies itself.

public import MatchJournal

extension MatchWriter: ReplySink {}
