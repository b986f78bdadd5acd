// Every run ends with figures for people and for programs.

/// The figures of a run.
protocol Report {
    /// One JSON object.
    var json: [UInt8] { get }
    /// Lines for people.
    var text: String { get }
}

extension Report {
    /// Prints the figures in one of the two forms.
    func show(asJSON: Bool) { print(asJSON ? String(decoding: json, as: UTF8.self) : text) }
}
