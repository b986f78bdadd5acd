// Common short names that no rule derives from the full names.

/// The common abbreviations of national and league sides.
enum KnownTeams {
    /// The common short name of a side by the words of `Abbreviations.words(of:)`; nil when it has none.
    static func abbreviation(of words: [String]) -> String? { table[words.joined(separator: " ")] }

    /// Whether the words are a nation's name.
    static func isNation(_ words: [String]) -> Bool { nations[words.joined(separator: " ")] != nil }

    private static let table: [String: String] = nations.merging(leagues) { nation, _ in nation }

    private static let nations = [
        "INDIA": "IND", "AUSTRALIA": "AUS", "ENGLAND": "ENG", "PAKISTAN": "PAK", "SOUTH AFRICA": "SA",
        "NEW ZEALAND": "NZ", "SRI LANKA": "SL", "BANGLADESH": "BAN", "WEST INDIES": "WI", "AFGHANISTAN": "AFG",
        "IRELAND": "IRE", "ZIMBABWE": "ZIM", "NETHERLANDS": "NED", "SCOTLAND": "SCO", "NAMIBIA": "NAM",
        "UNITED ARAB EMIRATES": "UAE", "UNITED STATES AMERICA": "USA", "UNITED STATES": "USA", "NEPAL": "NEP",
        "OMAN": "OMA", "CANADA": "CAN", "HONG KONG": "HK", "PAPUA NEW GUINEA": "PNG", "KENYA": "KEN", "UGANDA": "UGA",
        "ISLE MAN": "IOM", "JERSEY": "JER", "GUERNSEY": "GUE", "GERMANY": "GER", "ITALY": "ITA", "JAPAN": "JPN",
        "CHINA": "CHN", "THAILAND": "THA", "MALAYSIA": "MAS", "SINGAPORE": "SIN", "QATAR": "QAT", "KUWAIT": "KUW",
        "BAHRAIN": "BRN", "SAUDI ARABIA": "KSA", "BERMUDA": "BER", "DENMARK": "DEN", "NORWAY": "NOR", "SPAIN": "ESP",
        "PORTUGAL": "POR", "FRANCE": "FRA", "BELGIUM": "BEL", "AUSTRIA": "AUT", "SWITZERLAND": "SUI", "NIGERIA": "NGA",
        "TANZANIA": "TAN", "RWANDA": "RWA", "BOTSWANA": "BOT", "GHANA": "GHA", "MALDIVES": "MDV", "BHUTAN": "BHU",
        "CAYMAN ISLANDS": "CAY", "ARGENTINA": "ARG", "BRAZIL": "BRA", "MEXICO": "MEX", "VANUATU": "VAN", "FIJI": "FIJ",
        "SAMOA": "SAM", "PHILIPPINES": "PHI", "INDONESIA": "INA", "SWEDEN": "SWE", "FINLAND": "FIN",
        "CZECH REPUBLIC": "CZE", "ROMANIA": "ROU", "HUNGARY": "HUN", "BULGARIA": "BUL", "GREECE": "GRE", "MALTA": "MLT",
    ]

    private static let leagues = [
        "MUMBAI INDIANS": "MI", "CHENNAI SUPER KINGS": "CSK", "ROYAL CHALLENGERS BANGALORE": "RCB",
        "ROYAL CHALLENGERS BENGALURU": "RCB", "KOLKATA KNIGHT RIDERS": "KKR", "SUNRISERS HYDERABAD": "SRH",
        "DELHI CAPITALS": "DC", "DELHI DAREDEVILS": "DD", "PUNJAB KINGS": "PBKS", "KINGS PUNJAB": "KXIP",
        "RAJASTHAN ROYALS": "RR", "GUJARAT TITANS": "GT", "LUCKNOW SUPER GIANTS": "LSG", "DECCAN CHARGERS": "DCH",
        "UP WARRIORZ": "UPW", "GUJARAT GIANTS": "GG", "SYDNEY SIXERS": "SIX", "SYDNEY THUNDER": "THU",
        "MELBOURNE STARS": "STA", "MELBOURNE RENEGADES": "REN", "PERTH SCORCHERS": "SCO", "BRISBANE HEAT": "HEA",
        "ADELAIDE STRIKERS": "STR", "HOBART HURRICANES": "HUR", "OVAL INVINCIBLES": "OVI", "LONDON SPIRIT": "LNS",
        "MANCHESTER ORIGINALS": "MNR", "NORTHERN SUPERCHARGERS": "NOS", "BIRMINGHAM PHOENIX": "BPH",
        "TRENT ROCKETS": "TRT", "SOUTHERN BRAVE": "SOB", "WELSH FIRE": "WEF", "ISLAMABAD UNITED": "ISU",
        "KARACHI KINGS": "KAR", "LAHORE QALANDARS": "LHQ", "MULTAN SULTANS": "MUL", "PESHAWAR ZALMI": "PES",
        "QUETTA GLADIATORS": "QUE", "TRINBAGO KNIGHT RIDERS": "TKR", "GUYANA AMAZON WARRIORS": "GAW",
        "BARBADOS ROYALS": "BR", "JAMAICA TALLAWAHS": "JAM", "SUNRISERS EASTERN CAPE": "SEC", "MI CAPE TOWN": "MICT",
        "PAARL ROYALS": "PR", "DURBAN SUPER GIANTS": "DSG", "JOBURG SUPER KINGS": "JSK", "PRETORIA CAPITALS": "PC",
        "KOLKATA": "KOL", "NEW SOUTH WALES": "NSW", "WESTERN AUSTRALIA": "WA", "SOUTH AUSTRALIA": "SAUS",
        "NORTHAMPTONSHIRE": "NHNT", "NOTTINGHAMSHIRE": "NOTT", "GLOUCESTERSHIRE": "GLOU", "WORCESTERSHIRE": "WORC",
        "LEICESTERSHIRE": "LEIC", "WARWICKSHIRE": "WARW", "MIDDLESEX": "MDX", "YORKSHIRE": "YORK", "SOMERSET": "SOM",
    ]
}

extension TeamInfo {
    /// Whether it is the first side of a cricket nation, men or women, by its name: no A side, no XI, no juniors.
    public var isNation: Bool {
        let isFirst = !isLesserSide && !ownWords.contains("XI")
        return isFirst && KnownTeams.isNation(Abbreviations.words(of: name).filter { $0 != "W" })
    }

    /// Whether the name is that of an A side or of juniors, who play no internationals.
    public var isLesserSide: Bool {
        let marks: Set<Substring> = ["A", "B", "ACADEMY", "EMERGING", "LIONS"]
        return ownWords.contains { marks.contains($0) || $0.contains { $0.isNumber } }
    }

    private var ownWords: [Substring] {
        Substring(name.prefix(128).uppercased()).split { !$0.isLetter && !$0.isNumber }
    }
}
