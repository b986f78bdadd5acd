// Captures may be larger than the memory, so they are read entry by entry, and counted without their bodies.

internal import Foundation
internal import Glibc
internal import Providers

/// A capture file, read from its beginning to the first damaged entry; the last one may be damaged after a crash.
final class CaptureFile {
    /// Bytes of one read.
    private static let step = 64 * 1024

    /// Bytes of the file when it was opened.
    let size: Int
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// Used bytes of the buffer, and bytes of the file before the unused ones.
    private var used = 0
    private var passed = 0
    private var isDamaged = false
    private let decoder = JSONDecoder()

    /// Opens a file; nil when there is none, or it cannot be read.
    init?(_ path: String) {
        descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let end = lseek(descriptor, 0, SEEK_END)
        size = max(0, Int(end))
        lseek(descriptor, 0, SEEK_SET)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The next entry; nil at the end.
    func next() -> CaptureRecord? {
        guard let head = head(), let packed = take(head.packed), endsEntry() else { return nil }
        if packed.isEmpty { return CaptureRecord(head: head, payload: []) }
        guard let payload = try? Compression.unpack(packed, limit: IngestLimits.capturePayloadMax) else {
            isDamaged = true
            return nil
        }
        return CaptureRecord(head: head, payload: payload)
    }

    /// The line of the next entry, whose bodies are skipped; nil at the end.
    func skip() -> CaptureRecord.Head? {
        guard let head = head(), pass(head.packed), endsEntry() else { return nil }
        return head
    }

    private func head() -> CaptureRecord.Head? {
        guard !isDamaged, let line = line(),
            let head = try? decoder.decode(CaptureRecord.Head.self, from: Data(line)),
            head.packed >= 0, head.packed < size - passed
        else {
            isDamaged = true
            return nil
        }
        return head
    }

    /// The bytes up to the next line break.
    private func line() -> ArraySlice<UInt8>? {
        var searched = used
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer[used..<end]
                move(line.count + 1)
                return line.count <= IngestLimits.captureLineMax ? line : nil
            }
            let length = buffer.count - used
            guard length <= IngestLimits.captureLineMax, fill() else { return nil }
            searched = used + length
        }
    }

    private func take(_ count: Int) -> [UInt8]? {
        while buffer.count - used < count { guard fill() else { return nil } }
        let bytes = Array(buffer[used..<used + count])
        move(count)
        return bytes
    }

    private func pass(_ count: Int) -> Bool {
        let beyond = count - (buffer.count - used)
        guard beyond > 0 else {
            move(count)
            return true
        }
        move(buffer.count - used)
        passed += beyond
        return lseek(descriptor, off_t(beyond), SEEK_CUR) >= 0
    }

    private func endsEntry() -> Bool {
        isDamaged = take(1) != [UInt8(ascii: "\n")]
        return !isDamaged
    }

    private func move(_ count: Int) {
        used += count
        passed += count
    }

    /// Reads more bytes; false at the end.
    private func fill() -> Bool {
        buffer.removeFirst(used)
        used = 0
        let room = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: Self.step))
        var count = -1
        repeat {
            count = buffer[room...].withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
        } while count < 0 && errno == EINTR
        buffer.removeLast(Self.step - max(0, count))
        return count > 0
    }
}
