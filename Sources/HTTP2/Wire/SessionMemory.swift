// nghttp2 allocates and frees some ten small blocks a request; hundreds of open streams exceed malloc's cache.

internal import CNghttp2
internal import Glibc

/// An allocator for one nghttp2 session, with size classes of 64 bytes; confined to the session's loop.
///
/// It grows with the open streams and their headers, which are bounded, and is freed as a whole.
final class SessionMemory {
    /// Bytes before each block, which store its size class (0 for a block of `malloc`) and keep malloc's alignment.
    private static let headerBytes = 16

    /// Behind a pointer, since Swift's check for overlapping accesses to class variables cost a tenth of a push.
    private struct State {
        /// The first idle block of each class; each holds the address of the next.
        var idle: UnsafeMutablePointer<UnsafeMutableRawPointer?>
        var next: UnsafeMutableRawPointer?
        var left = 0
        var chunks: [UnsafeMutableRawPointer] = []
    }

    private let state: UnsafeMutablePointer<State>

    init() {
        let kinds = HTTP2Limits.blockBytes / HTTP2Limits.blockStepBytes + 1
        let idle = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: kinds)
        idle.initialize(repeating: nil, count: kinds)
        state = .allocate(capacity: 1)
        state.initialize(to: State(idle: idle))
    }

    deinit {
        for chunk in state.pointee.chunks { chunk.deallocate() }
        state.pointee.idle.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// The allocator as nghttp2 calls it; this object must outlive the session.
    var functions: nghttp2_mem {
        nghttp2_mem(
            mem_user_data: Unmanaged.passUnretained(self).toOpaque(),
            malloc: { size, memory in SessionMemory.of(memory) { $0.take(size) } },
            free: { block, memory in SessionMemory.of(memory) { $0.giveBack(block) } },
            calloc: { count, size, memory in
                let (bytes, isTooMuch) = count.multipliedReportingOverflow(by: size)
                guard !isTooMuch else { return nil }
                return SessionMemory.of(memory) { $0.take(bytes).map { memset($0, 0, bytes) } }
            },
            realloc: { block, size, memory in SessionMemory.of(memory) { $0.resize(block, to: size) } }
        )
    }

    @discardableResult
    private static func of<Result>(
        _ memory: UnsafeMutableRawPointer?,
        _ body: (SessionMemory) -> Result?
    ) -> Result? {
        guard let memory else { return nil }
        return Unmanaged<SessionMemory>.fromOpaque(memory)._withUnsafeGuaranteedRef(body)
    }

    private func take(_ size: Int) -> UnsafeMutableRawPointer? {
        let (needed, isTooMuch) = size.addingReportingOverflow(Self.headerBytes)
        guard !isTooMuch else { return nil }
        guard needed <= HTTP2Limits.blockBytes else { return malloc(needed).map { Self.mark($0, 0) } }
        let kind = (needed + HTTP2Limits.blockStepBytes - 1) / HTTP2Limits.blockStepBytes
        if let block = state.pointee.idle[kind] {
            state.pointee.idle[kind] = block.load(as: UnsafeMutableRawPointer?.self)
            return block
        }
        return carve(kind * HTTP2Limits.blockStepBytes).map { Self.mark($0, kind) }
    }

    private func carve(_ bytes: Int) -> UnsafeMutableRawPointer? {
        if state.pointee.left < bytes {
            let chunk = UnsafeMutableRawPointer.allocate(byteCount: HTTP2Limits.chunkBytes, alignment: Self.headerBytes)
            state.pointee.chunks.append(chunk)
            (state.pointee.next, state.pointee.left) = (chunk, HTTP2Limits.chunkBytes)
        }
        let block = state.pointee.next
        state.pointee.next = block.map { $0 + bytes }
        state.pointee.left -= bytes
        return block
    }

    private func giveBack(_ block: UnsafeMutableRawPointer?) {
        guard let block else { return }
        let kind = Self.kind(of: block)
        guard kind > 0 else { return Glibc.free(block - Self.headerBytes) }
        block.storeBytes(of: state.pointee.idle[kind], as: UnsafeMutableRawPointer?.self)
        state.pointee.idle[kind] = block
    }

    private func resize(_ block: UnsafeMutableRawPointer?, to size: Int) -> UnsafeMutableRawPointer? {
        guard let block else { return take(size) }
        let kind = Self.kind(of: block)
        guard kind > 0 else {
            return realloc(block - Self.headerBytes, size + Self.headerBytes).map { $0 + Self.headerBytes }
        }
        let room = kind * HTTP2Limits.blockStepBytes - Self.headerBytes
        guard size > room else { return block }
        guard let wider = take(size) else { return nil }
        memcpy(wider, block, room)
        giveBack(block)
        return wider
    }

    private static func mark(_ start: UnsafeMutableRawPointer, _ kind: Int) -> UnsafeMutableRawPointer {
        start.storeBytes(of: kind, as: Int.self)
        return start + headerBytes
    }

    private static func kind(of block: UnsafeMutableRawPointer) -> Int { (block - headerBytes).load(as: Int.self) }
}
