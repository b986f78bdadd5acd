// Members that formats of providers and reports have again and again.

extension JSONWriter {
    /// Writes a key and an integer, or null for nil.
    public mutating func field(_ name: StaticString, orNull value: Int?) {
        key(name)
        if let value { integer(value) } else { null() }
    }

    /// Writes a key and a string, or null for nil.
    public mutating func field(_ name: StaticString, orNull value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    /// Writes a key and a number, or null for nil.
    public mutating func number(_ name: StaticString, _ value: Double?) {
        key(name)
        if let value { number(value) } else { null() }
    }

    /// Writes a member that is an object, under a name that is not a compile-time constant.
    public mutating func object(dynamic name: String, _ body: (inout JSONWriter) -> Void) {
        key(dynamic: name)
        object(body)
    }

    /// Writes a key and null.
    public mutating func null(_ name: StaticString) {
        key(name)
        null()
    }

    /// Writes a member that is an array of strings.
    public mutating func strings(_ name: StaticString, _ values: some Sequence<String>) {
        array(name) { list in for value in values { list.string(value) } }
    }

    /// Writes a member that is an array with an object for each element.
    public mutating func objects<Element>(
        _ name: StaticString,
        _ elements: some Sequence<Element>,
        _ write: (Element, inout JSONWriter) -> Void
    ) {
        array(name) { list in for element in elements { list.object { write(element, &$0) } } }
    }
}
