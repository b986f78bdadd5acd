// Each feed has files of its own; a match of two feeds is replayed in the order of capture.

/// The entries of several folders in the order of capture; one entry of each folder is in memory.
struct CaptureSequence: Sequence, IteratorProtocol {
    private struct Track {
        var files: ArraySlice<String>
        var file: CaptureFile?
        var next: CaptureRecord?

        init(_ files: [String]) {
            self.files = files[...]
            advance()
        }

        mutating func advance() {
            next = file?.next()
            while next == nil, let path = files.popFirst() {
                file = CaptureFile(path)
                next = file?.next()
            }
        }
    }

    private var tracks: [Track]

    /// Takes the files of each folder, oldest first.
    init(_ folders: [[String]]) { tracks = folders.map(Track.init) }

    /// The next entry; an entry of a basis has the place of the entry after it.
    mutating func next() -> CaptureRecord? {
        let first = tracks.indices.filter { tracks[$0].next != nil }
            .min { one, other in
                guard let left = tracks[one].next?.place, let right = tracks[other].next?.place else { return false }
                return left < right
            }
        guard let first, let record = tracks[first].next else { return nil }
        tracks[first].advance()
        return record
    }
}

extension CaptureRecord {
    /// The place of an entry among all of a server.
    struct Place: Sendable, Hashable, Comparable {
        let run: Int64
        let number: Int64

        static func < (one: Place, other: Place) -> Bool { (one.run, one.number) < (other.run, other.number) }
    }

    /// Its place.
    var place: Place { Place(run: head.run, number: head.number) }
}
