// A surface of a match is the same for all clients until the next revision, so it is rendered and packed once.

import Synchronization

/// The rendered surfaces of one match at one revision, by variant; the server defines the variants.
final class RenderedSurfaces: Sendable {
    private let answers = Mutex<[String: StoredAnswer]>([:])

    /// The answer of a variant; `render` is called with the variant when it is not known.
    func answer(_ variant: String, render: (String) throws -> StoredAnswer) rethrows -> StoredAnswer {
        if let known = answers.withLock({ $0[variant] }) { return known }
        let answer = try render(variant)
        return answers.withLock { answers in
            // Another reader may have been first; all share its packed form.
            let kept = answers[variant] ?? answer
            answers[variant] = kept
            return kept
        }
    }
}
