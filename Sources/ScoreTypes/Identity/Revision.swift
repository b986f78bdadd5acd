// `epoch.rev` orders all states of a match that a follower receives.

/// Identifies one lifetime of a match's journal: eight characters of `[A-Za-z0-9]`.
public struct Epoch: Sendable, Hashable, CustomStringConvertible {
    /// The eight characters.
    public let text: String

    /// Validates external text; nil when it is not eight letters or digits.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.count == 8, bytes.allSatisfy({ Self.alphabet.contains($0) }) else { return nil }
        self.text = text
    }

    /// Generates a new epoch.
    public init(using generator: inout some RandomNumberGenerator) {
        let letters = (0..<8).map { _ in Self.alphabet[Int.random(in: 0..<Self.alphabet.count, using: &generator)] }
        text = String(decoding: letters, as: UTF8.self)
    }

    /// The eight characters.
    public var description: String { text }
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
}

/// A revision of a match's journal: ETag, stream id, and the `rev` of a content state.
public struct Revision: Sendable, Hashable, CustomStringConvertible {
    /// The lifetime of the journal.
    public let epoch: Epoch
    /// The number inside the match; it only increases, also across epochs.
    public let number: Int64

    /// Combines an epoch and a number.
    public init(epoch: Epoch, number: Int64) {
        self.epoch = epoch
        self.number = number
    }

    /// Reads `epoch.rev`; nil for another form (`rev` has 1 to 12 digits).
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let epoch = Epoch(String(parts[0])),
            (1...TypeLimits.revisionDigits).contains(parts[1].utf8.count),
            parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int64(parts[1])
        else { return nil }
        self.init(epoch: epoch, number: number)
    }

    /// `epoch.rev`.
    public var description: String { "\(epoch).\(number)" }
}
