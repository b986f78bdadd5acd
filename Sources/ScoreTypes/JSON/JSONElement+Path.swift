// The place of a value is needed for errors alone, so it is computed when there is one.

extension JSONElement {
    /// The place in the text, such as `data.balls[3].score_id`; `body` for the whole text.
    public var path: String {
        var text = ""
        var at = 0
        while at < node {
            var child = at + 1
            if table.nodes[at].form == .array {
                var index = 0
                while Int(table.nodes[child].next) <= node {
                    child = Int(table.nodes[child].next)
                    index += 1
                }
                text += "[\(index)]"
            } else {
                while Int(table.nodes[child].next) <= node { child = Int(table.nodes[child].next) }
                let name = table.string(child) ?? ""
                text += (text.isEmpty ? "" : ".") + SafeText.clean(String(name.prefix(TypeLimits.pathNameCharacters)))
                child += 1
            }
            at = child
        }
        return text.isEmpty ? "body" : text
    }

    /// The place of a member that is absent.
    ///
    /// - Parameter name: Its name, or the same in camel case.
    /// - Returns: The path, with the name in snake case.
    public func path(to name: String) -> String {
        var member = ""
        for character in name {
            if character.isUppercase { member += "_" + character.lowercased() } else { member.append(character) }
        }
        return node == 0 ? member : "\(path).\(member)"
    }
}
