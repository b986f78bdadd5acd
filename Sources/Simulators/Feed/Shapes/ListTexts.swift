// A reply repeats every ball of the match; a ball that is as it was is copied instead of being written again.

import ScoreTypes
import Synchronization

/// Caches the JSON of the elements of each list; an element equal to the one at its place in the last reply is copied.
///
/// It holds one reply of each list, and a feed has a fixed number of matches.
final class ListTexts<Element: Equatable & Sendable>: Sendable {
    private struct Entry {
        let element: Element
        /// The element's values, with commas between them.
        let text: [UInt8]
    }

    /// A list in the replies about a match.
    struct List: Hashable {
        let match: ProviderMatchID
        /// The ordinal of the innings; nil where all innings have one list.
        var innings: Int?
    }

    private let entries = Mutex<[List: [Entry]]>([:])

    /// Writes the elements of a list; an element holds everything that its JSON depends on.
    func write(
        _ elements: some Sequence<Element>,
        of list: List,
        to json: inout JSONWriter,
        _ write: (Element, inout JSONWriter) -> Void
    ) {
        var known = entries.withLock { $0.removeValue(forKey: list) } ?? []
        var count = 0
        for element in elements {
            if count == known.count || known[count].element != element {
                var own = JSONWriter(reservingBytes: SimulatorLimits.elementBytes)
                write(element, &own)
                let entry = Entry(element: element, text: own.bytes)
                if count == known.count { known.append(entry) } else { known[count] = entry }
            }
            json.raw(known[count].text)
            count += 1
        }
        known.removeLast(known.count - count)
        entries.withLock { $0[list] = known }
    }
}
