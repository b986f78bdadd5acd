// Indents documents that people read and compare line by line; all other JSON is written compactly.

/// Indents compact JSON.
enum IndentedJSON {
    /// The same value, indented by two spaces a level, with a newline at the end; `compact` has no insignificant white
    /// space.
    static func bytes(of compact: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(compact.count * 2)
        var depth = 0
        var isText = false
        var isEscaped = false
        for (index, byte) in compact.enumerated() {
            if isText {
                output.append(byte)
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            let next = index + 1 < compact.count ? compact[index + 1] : 0
            switch byte {
            case UInt8(ascii: "\""):
                isText = true
                output.append(byte)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                output.append(byte)
                // An empty list or object has no line break.
                if next != UInt8(ascii: "}") && next != UInt8(ascii: "]") { breakLine(depth, &output) }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                let last = output.last
                if last != UInt8(ascii: "{") && last != UInt8(ascii: "[") { breakLine(depth, &output) }
                output.append(byte)
            case UInt8(ascii: ","):
                output.append(byte)
                breakLine(depth, &output)
            case UInt8(ascii: ":"):
                output.append(byte)
                output.append(UInt8(ascii: " "))
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\n"))
        return output
    }

    private static func breakLine(_ depth: Int, _ output: inout [UInt8]) {
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: max(0, depth) * 2))
    }
}
