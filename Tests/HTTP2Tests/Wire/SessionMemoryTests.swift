// Blocks are reused, keep their content when they grow, and never overlap.

import CNghttp2
import Testing

@testable import HTTP2

@Suite struct SessionMemoryTests {
    @Test func aFreedBlockOfTheSameSizeIsReused() throws {
        let memory = SessionMemory()
        let functions = memory.functions
        let first = try #require(functions.malloc(200, functions.mem_user_data))
        functions.free(first, functions.mem_user_data)
        let other = try #require(functions.malloc(700, functions.mem_user_data))
        let second = try #require(functions.malloc(180, functions.mem_user_data))
        #expect(second == first && other != first)
        functions.free(nil, functions.mem_user_data)
    }

    @Test(arguments: [[1, 40, 41, 300], [1000, 1008, 1009, 5000], [16, 100_000, 10]])
    func aGrowingBlockKeepsItsContent(sizes: [Int]) throws {
        let functions = SessionMemory()
        let calls = functions.functions
        var block: UnsafeMutableRawPointer?
        var kept = 0
        for size in sizes {
            block = calls.realloc(block, size, calls.mem_user_data)
            let start = try #require(block)
            let bytes = UnsafeMutableRawBufferPointer(start: start, count: size)
            #expect(bytes.prefix(min(kept, size)).allSatisfy { $0 == 7 })
            bytes.initializeMemory(as: UInt8.self, repeating: 7)
            kept = size
        }
        calls.free(block, calls.mem_user_data)
    }

    @Test func blocksAreDisjointAlignedAndZeroedOnRequest() throws {
        let memory = SessionMemory()
        let functions = memory.functions
        var blocks: [(start: UnsafeMutableRawPointer, size: Int)] = []
        for size in 1...600 {
            let start = try #require(functions.calloc(1, size, functions.mem_user_data))
            #expect(Int(bitPattern: start) % 16 == 0)
            let bytes = UnsafeMutableRawBufferPointer(start: start, count: size)
            #expect(bytes.allSatisfy { $0 == 0 })
            bytes.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: size))
            blocks.append((start, size))
        }
        for (start, size) in blocks {
            let bytes = UnsafeRawBufferPointer(start: start, count: size)
            #expect(bytes.allSatisfy { $0 == UInt8(truncatingIfNeeded: size) })
        }
        for block in blocks { functions.free(block.start, functions.mem_user_data) }
        #expect(functions.calloc(.max, 2, functions.mem_user_data) == nil)
    }
}
