// nghttp2 takes and gives back some ten small blocks a request; hundreds of streams at once outgrow malloc's cache.

internal import CNghttp2
internal import Glibc

/// Blocks for one nghttp2 session, in classes of 64 bytes that are used again; confined to the session's loop.
///
/// It grows with what the session holds at a time, which the limits of streams and headers bound, and goes back whole.
final class SessionMemory {
    /// Step of the block sizes in bytes.
    private static let step = 64
    /// Blocks above this size, its header included, come from the system: buffers that live as long as the session.
    private static let blockMax = 1024
    /// Bytes taken from the system at a time.
    private static let chunkBytes = 32_768
    /// In front of each block stands its class, 0 for one from the system; keeps the alignment of malloc.
    private static let headerBytes = 16

    /// Behind a pointer, since Swift checks each access to a class's variables for overlaps: a tenth of a push.
    private struct State {
        /// The first idle block of each class; each holds the address of the next.
        var idle: UnsafeMutablePointer<UnsafeMutableRawPointer?>
        var next: UnsafeMutableRawPointer?
        var left = 0
        var chunks: [UnsafeMutableRawPointer] = []
    }

    private let state: UnsafeMutablePointer<State>

    init() {
        let kinds = Self.blockMax / Self.step + 1
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

    /// nghttp2's door to this object, which must outlive the session.
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
        guard needed <= Self.blockMax else { return malloc(needed).map { Self.mark($0, 0) } }
        let kind = (needed + Self.step - 1) / Self.step
        if let block = state.pointee.idle[kind] {
            state.pointee.idle[kind] = block.load(as: UnsafeMutableRawPointer?.self)
            return block
        }
        return carve(kind * Self.step).map { Self.mark($0, kind) }
    }

    private func carve(_ bytes: Int) -> UnsafeMutableRawPointer? {
        if state.pointee.left < bytes {
            let chunk = UnsafeMutableRawPointer.allocate(byteCount: Self.chunkBytes, alignment: Self.headerBytes)
            state.pointee.chunks.append(chunk)
            (state.pointee.next, state.pointee.left) = (chunk, Self.chunkBytes)
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
        let room = kind * Self.step - Self.headerBytes
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
