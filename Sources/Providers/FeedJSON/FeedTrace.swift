// From one poll to the next a reply changes in a row or two; what is kept of it lets the others be found again.

/// What is kept of a reply that was read: its bytes, the places of its values, its rows.
struct FeedTrace: Sendable {
    let bytes: [UInt8]
    let nodes: [FeedJSON.Node]
    /// The lists of rows that were looked at, each a `FeedRows`, by their nodes.
    let rows: [Int: any Sendable]
}

/// A value that stands where, or as, one of an earlier text stood.
struct FeedLink: Sendable {
    /// Its node, and that of the earlier one.
    let node: Int
    let earlier: Int
    /// Nodes of both that are the same one by one; 0 for a list that only has its counterpart there.
    let same: Int
}

/// The elements of an earlier list, laid beside those of the list that is being read.
struct FeedColumn {
    /// The node behind the earlier list.
    let end: Int
    /// What comes next if those since the last that was the same were put in.
    private(set) var kept: Int
    /// What comes next if they were changed.
    private(set) var ahead: Int

    /// Begins with the first element.
    init(_ list: Int, _ nodes: [FeedJSON.Node]) {
        end = Int(nodes[list].next)
        kept = list + 1
        ahead = list + 1
    }

    /// What comes next if one was taken out as well.
    func behind(_ nodes: [FeedJSON.Node]) -> Int { ahead < end ? Int(nodes[ahead].next) : end }

    /// One was the same as this.
    mutating func met(_ node: Int, _ nodes: [FeedJSON.Node]) {
        kept = Int(nodes[node].next)
        ahead = kept
    }

    /// One was like none of the earlier ones; returns what it may have been made of.
    mutating func missed(_ nodes: [FeedJSON.Node]) -> Int? {
        guard ahead < end else { return nil }
        defer { ahead = Int(nodes[ahead].next) }
        return ahead
    }
}

extension FeedTrace {
    /// Keys of an object that are looked through for one that stands elsewhere than before.
    private static let keysMax = 64
    /// Bytes that are compared at once.
    private static let wordBytes = 8

    /// Whether a list or an object stands here byte for byte; returns its length.
    func length(of node: Int, in text: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        let place = nodes[node]
        let length = Int(place.end - place.start)
        guard place.form == .list || place.form == .object, length <= text.count - start else { return nil }
        let isSame = bytes.withUnsafeBufferPointer { own in
            Self.areSame(UnsafeRawBufferPointer(own), Int(place.start), UnsafeRawBufferPointer(text), start, length)
        }
        return isSame ? length : nil
    }

    private static func areSame(
        _ one: UnsafeRawBufferPointer,
        _ from: Int,
        _ other: UnsafeRawBufferPointer,
        _ start: Int,
        _ length: Int
    ) -> Bool {
        var index = 0
        while index + wordBytes <= length {
            let word = one.loadUnaligned(fromByteOffset: from + index, as: UInt64.self)
            guard word == other.loadUnaligned(fromByteOffset: start + index, as: UInt64.self) else { return false }
            index += wordBytes
        }
        while index < length {
            guard one[from + index] == other[start + index] else { return false }
            index += 1
        }
        return true
    }

    /// The earlier value of a key; `next` is the key where it is looked for first, and then the one behind it.
    func value(
        of key: FeedJSON.Node,
        in text: UnsafeBufferPointer<UInt8>,
        object: Int,
        next: inout Int
    ) -> Int? {
        let end = Int(nodes[object].next)
        if next < end, isSame(key, in: text, nodes[next]) {
            defer { next = Int(nodes[next].next) }
            return next + 1
        }
        var name = object + 1
        for _ in 0..<min(Self.keysMax, Int(nodes[object].count)) {
            if isSame(key, in: text, nodes[name]) {
                next = Int(nodes[name].next)
                return name + 1
            }
            name = Int(nodes[name].next)
        }
        return nil
    }

    private func isSame(_ key: FeedJSON.Node, in text: UnsafeBufferPointer<UInt8>, _ own: FeedJSON.Node) -> Bool {
        guard key.form == own.form, key.count == own.count, key.end - key.start == own.end - own.start else {
            return false
        }
        return bytes.withUnsafeBufferPointer { bytes in
            let length = Int(key.end - key.start)
            return Self.areSame(
                UnsafeRawBufferPointer(bytes),
                Int(own.start),
                UnsafeRawBufferPointer(text),
                Int(key.start),
                length
            )
        }
    }
}
