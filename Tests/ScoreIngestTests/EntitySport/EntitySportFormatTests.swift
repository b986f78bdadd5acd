// The provider's table of formats has twenty-two numbers, and not every reply has a name beside them.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct EntitySportFormatTests {
    private typealias Sample = EntitySportSample

    @Test(arguments: [
        (1, Format.odi), (2, .test), (3, .t20i), (4, .listA), (5, .firstClass), (6, .t20), (7, .odi), (8, .t20),
        (9, .odi), (10, .t20), (12, .listA), (13, .firstClass), (14, .t20), (15, .test), (16, .test), (17, .t10),
        (18, .hundred), (19, .hundred), (20, .t10), (21, .t20i), (22, .t10),
    ])
    func aNumberAloneGivesTheFormat(number: Int, format: Format) throws {
        for word in ["", #","format_str":"""#, #","format_str":"Something new""#] {
            #expect(try Sample.snapshot(format: #""format":\#(number)\#(word)"#).info.format == format)
        }
    }

    @Test(arguments: [
        ("First Class", Format.firstClass), ("Other 1st Class", .firstClass), ("Other List A", .listA),
        ("Other T20", .t20), ("Women T100", .hundred), ("TB-10", .t10), ("Woman Test", .test), ("Youth ODI", .odi),
    ])
    func aWordOverridesTheNumber(word: String, format: Format) throws {
        for number in [11, 3] {
            let match = try Sample.snapshot(format: #""format":"\#(number)","format_str":"\#(word)""#)
            #expect(match.info.format == format)
        }
    }

    @Test(arguments: [#""format":11"#, #""format":99,"format_str":"Six-a-side""#])
    func anUnknownFormatIsRefused(format: String) {
        #expect(throws: AdapterError.self) { try Sample.snapshot(format: format) }
    }

    @Test func aNumberMarksAWomensMatch() throws {
        let women = try [7, 8, 16, 19, 21, 22].map { try Sample.snapshot(format: #""format":\#($0)"#).info.isWomens }
        #expect(women.allSatisfy { $0 })
        #expect(try !Sample.snapshot(format: #""format":6"#).info.isWomens)
    }
}
