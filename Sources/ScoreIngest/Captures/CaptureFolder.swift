// Captures explain a wrong score a day later; they must never fill the disk.

internal import Foundation
internal import Glibc
internal import ScoreTypes

/// The capture files of one feed, written in order; the oldest is deleted when they exceed the bounds.
struct CaptureFolder {
    /// The number of files: deleting the oldest loses that share.
    static let segments = 8
    /// Real time without an attempt after a failed write.
    static let pauseAfterFailure: Duration = .seconds(5)

    private struct Segment {
        let path: String
        var records: Int
        var bytes: Int
        /// Bytes that repeat earlier files: they do not fill it, but count in the total.
        var basis = 0
    }

    private let path: String
    private let bounds: CaptureStore.Bounds
    private var segments: [Segment]
    private var descriptor: Int32 = -1
    private var pausedUntil: Duration?

    /// Takes over the files of the folder.
    init(path: String, bounds: CaptureStore.Bounds) {
        self.path = path
        self.bounds = bounds
        segments = Self.files(in: path).map { file in
            var segment = Segment(path: file, records: 0, bytes: 0)
            guard let captures = CaptureFile(file) else { return segment }
            segment.bytes = captures.size
            while let head = captures.skip() { segment.records += head.kind.isBasis ? 0 : 1 }
            return segment
        }
    }

    /// The files, oldest first.
    static func files(in path: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(".capture") }.sorted().map { "\(path)/\($0)" }
    }

    /// Why an entry was not written.
    enum Refusal: String, Error, Sendable, CaseIterable {
        /// It is larger than a file may be.
        case tooLarge
        /// The disk is full, or the folder cannot be written.
        case disk
        /// The disk has failed within `pauseAfterFailure`.
        case paused
    }

    /// Begins a new file when the present one is full, or there is none.
    ///
    /// Returns whether a file has begun: it needs its basis first.
    mutating func makeRoom(for size: Int, now: Duration) throws(Refusal) -> Bool {
        if let pausedUntil, now < pausedUntil { throw .paused }
        guard size <= bounds.bytes / Self.segments else { throw .tooLarge }
        do throws(Refusal) { return try open(for: size) } catch {
            pausedUntil = now + Self.pauseAfterFailure
            throw error
        }
    }

    /// Writes an entry whole or not at all; an entry of the basis goes into the file that was just opened.
    mutating func append(_ bytes: [UInt8], isBasis: Bool = false, now: Duration) throws(Refusal) {
        if !isBasis || descriptor < 0 { _ = try makeRoom(for: bytes.count, now: now) }
        guard bytes.count <= bounds.bytes / Self.segments else { throw .tooLarge }
        do throws(Refusal) { try write(bytes) } catch {
            pausedUntil = now + Self.pauseAfterFailure
            throw error
        }
        segments[segments.count - 1].bytes += bytes.count
        if isBasis {
            segments[segments.count - 1].basis += bytes.count
        } else {
            segments[segments.count - 1].records += 1
        }
        prune()
    }

    /// Ends writing; what was written is complete.
    mutating func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    private mutating func open(for size: Int) throws(Refusal) -> Bool {
        if descriptor >= 0, let last = segments.last {
            let isFull =
                last.records >= max(1, bounds.records / Self.segments)
                || last.bytes - last.basis + size > bounds.bytes / Self.segments
            if !isFull { return false }
            close()
        }
        try? FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let number = (segments.last.flatMap { Self.number(of: $0.path) } ?? 0) + 1
        let name = "\(path)/\(String(format: "%012d", number)).capture"
        descriptor = Glibc.open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .disk }
        segments.append(Segment(path: name, records: 0, bytes: 0))
        return true
    }

    private static func number(of path: String) -> Int? {
        path.split(separator: "/").last.flatMap { Int($0.prefix { $0 != "." }) }
    }

    private mutating func write(_ bytes: [UInt8]) throws(Refusal) {
        let before = off_t(segments.last?.bytes ?? 0)
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                // Half an entry would hide all entries after it.
                if ftruncate(descriptor, before) == 0 { lseek(descriptor, before, SEEK_SET) } else { close() }
                throw .disk
            }
            done += count
        }
    }

    private mutating func prune() {
        func isOver() -> Bool {
            segments.count > 1
                && (segments.reduce(0) { $0 + $1.records } > bounds.records
                    || segments.reduce(0) { $0 + $1.bytes } > bounds.bytes)
        }
        while isOver() { unlink(segments.removeFirst().path) }
    }
}
