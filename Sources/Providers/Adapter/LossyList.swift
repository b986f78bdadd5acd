// One entry of a list of matches that cannot be read hides no other, as it must where entries make one scorecard.

internal import ScoreTypes

/// The elements of an array that can be read, and why the others cannot.
struct LossyList<Element: Decodable & Sendable>: Decodable {
    let elements: [Element]
    /// In the order of the array; each names its place.
    let refused: [AdapterError]

    init(from decoder: any Decoder) throws {
        let json = try JSONElement(from: decoder)
        guard let values = json.elements else { throw json.mismatch("an array") }
        try AdapterError.check(values, atMost: AdapterLimits.entries, at: json.path)
        var (elements, refused): ([Element], [AdapterError]) = ([], [])
        for value in values {
            do {
                elements.append(try value.decode(Element.self))
            } catch {
                guard refused.count < AdapterLimits.unreadableEntries else { throw error }
                refused.append(AdapterError(error))
            }
        }
        (self.elements, self.refused) = (elements, refused)
    }
}
