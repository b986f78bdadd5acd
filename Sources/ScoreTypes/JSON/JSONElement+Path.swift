// The place of a value is needed for errors alone, so it is looked for when there is one.

extension FeedValue {
    /// Longest key that a message repeats, in characters: keys such as player names come from outside.
    private static let keyLengthMax = 40

    /// Where it stands, such as `data.balls[3].score_id`; `body` for the whole.
    var path: String {
        var text = ""
        var at = 0
        while at < node {
            var child = at + 1
            if json.nodes[at].form == .list {
                var index = 0
                while Int(json.nodes[child].next) <= node {
                    child = Int(json.nodes[child].next)
                    index += 1
                }
                text += "[\(index)]"
            } else {
                while Int(json.nodes[child].next) <= node { child = Int(json.nodes[child].next) }
                let key = json.text(child) ?? ""
                text += (text.isEmpty ? "" : ".") + FeedText.clean(String(key.prefix(Self.keyLengthMax)))
                child += 1
            }
            at = child
        }
        return text.isEmpty ? "body" : text
    }

    /// Where the value of a key would stand.
    func path(to key: StaticString) -> String { node == 0 ? "\(key)" : "\(path).\(key)" }
}
