// A document is read as every reply is, and written in the order of its keys.

internal import ScoreTypes

/// A part of a document.
protocol CricsheetPart: FeedReadable {
    /// Writes it as one JSON value.
    func write(to json: inout JSONWriter)
}

extension JSONWriter {
    /// Writes a key and a part, or nothing at all when there is none.
    mutating func put(_ name: StaticString, _ part: (some CricsheetPart)?) {
        guard let part else { return }
        key(name)
        part.write(to: &self)
    }
}

extension String: CricsheetPart {
    func write(to json: inout JSONWriter) { json.string(self) }
}

extension Bool: CricsheetPart {
    func write(to json: inout JSONWriter) { json.bool(self) }
}

extension Int: CricsheetPart {
    func write(to json: inout JSONWriter) { json.integer(self) }
}

extension Int64: CricsheetPart {
    func write(to json: inout JSONWriter) { json.integer(self) }
}

extension Double: CricsheetPart {
    /// Overs are whole but in matches that were cut short, and are written as such.
    func write(to json: inout JSONWriter) {
        if let whole = Int64(exactly: self) { json.integer(whole) } else { json.number(self) }
    }
}

extension Array: CricsheetPart where Element: CricsheetPart {
    func write(to json: inout JSONWriter) {
        json.array { json in
            for element in self { element.write(to: &json) }
        }
    }
}

extension Dictionary: CricsheetPart where Key == String, Value: CricsheetPart {
    func write(to json: inout JSONWriter) {
        json.object { json in
            for (key, value) in self.sorted(by: { $0.key < $1.key }) {
                json.key(dynamic: key)
                value.write(to: &json)
            }
        }
    }
}
