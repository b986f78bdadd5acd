// The delay of a publication is that of its earliest first request, and only the newest publications count.

import Testing

@testable import PushDispatcher

@Suite struct FirstRequestsTests {
    @Test func theEarliestRequestOfAPublicationCounts() {
        var first = FirstRequests()
        first.note(7, afterMilliseconds: 9)
        first.note(7, afterMilliseconds: 4)
        first.note(7, afterMilliseconds: 6)
        #expect(first.publications == [FirstRequests.Publication(revision: 7, milliseconds: 4)])
        #expect(first.median == 4)
    }

    @Test func theOldestPublicationIsForgotten() {
        var first = FirstRequests()
        #expect(first.median == nil)
        for revision in 1...Int64(PushLimits.firstRequests + 3) {
            first.note(revision, afterMilliseconds: revision * 10)
        }
        #expect(first.publications.count == PushLimits.firstRequests)
        #expect(first.publications.first?.revision == 4)
        // A late lane of a forgotten publication makes it no newer one.
        let last = first.publications.last
        first.note(2, afterMilliseconds: 1)
        #expect(first.publications.last == last)
    }
}
