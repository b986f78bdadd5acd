// HPACK's table decides the size of a push's header block.

import CNghttp2
import Testing

@testable import HTTP2

@Suite struct HeaderCostTests {
    /// DESIGN section 7.
    private static let blockMax = 350

    @Test("20: in steady state a push's header block stays under 350 bytes")
    func headerBlocksStaySmall() throws {
        var made: OpaquePointer?
        #expect(nghttp2_hd_deflate_new(&made, 4096) == 0)
        let deflater = try #require(made)
        defer { nghttp2_hd_deflate_del(deflater) }
        // As long as the dispatcher's headers: an ES256 token of 200 characters, a topic, a device token of 80 bytes.
        let fixed = HeaderTemplate(
            authority: "api.push.apple.com",
            fields: [
                HeaderField("authorization", "bearer " + String(repeating: "aB3-", count: 50)),
                HeaderField("apns-topic", "com.example.cricket.push-type.liveactivity"),
                HeaderField("apns-push-type", "liveactivity"), HeaderField("apns-priority", "5"),
                HeaderField("apns-expiration", "1800000000"),
            ]
        )
        var sizes: [Int] = []
        for number in 0..<2000 { sizes.append(deflate(number, fixed, deflater)) }
        #expect(sizes[0] > Self.blockMax)
        #expect(sizes.dropFirst().allSatisfy { $0 > 0 && $0 <= Self.blockMax }, "\(sizes.dropFirst().max() ?? 0)")
    }

    private func deflate(_ number: Int, _ fixed: HeaderTemplate, _ deflater: OpaquePointer) -> Int {
        let digits = String(number, radix: 16)
        let token = String(repeating: "0", count: 160 - digits.count) + digits
        let id = "8c7f1f0e-1f5b-4a0c-9a51-" + String(repeating: "e", count: 12 - digits.count) + digits
        let (path, text) = (Array("/3/device/\(token)".utf8), Array(id.utf8))
        var fields = FieldList()
        var block = [UInt8](repeating: 0, count: 4096)
        return path.withUnsafeBytes { path in
            text.withUnsafeBytes { text in
                fields.start()
                fields.append(":path", path, isIndexed: false)
                fields.append(fixed)
                fields.append("apns-id", text, isIndexed: false)
                return fields.withFields { list, count in
                    nghttp2_hd_deflate_hd(deflater, &block, block.count, list, count)
                }
            }
        }
    }
}
