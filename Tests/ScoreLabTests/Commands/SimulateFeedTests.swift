// `simulate-feed` says how many of the files it serves.

import Testing

@testable import ScoreLab

@Suite struct SimulateFeedTests {
    @Test func theNumberOfMatchesNamesTheFilesThatAreLeftOut() {
        #expect(SimulateFeedCommand.count(served: 1, found: 1) == "1 match")
        #expect(SimulateFeedCommand.count(served: 7, found: 7) == "7 matches")
        let most = LabLimits.servedMatches
        let words = SimulateFeedCommand.count(served: most, found: 350)
        #expect(words == "200 of 350 matches (the first by name, at most 200)")
    }
}
