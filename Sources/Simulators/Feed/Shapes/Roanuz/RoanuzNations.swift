// Roanuz' keys of national sides are its own, and their countries' codes are those of ISO 3166: often not the same.

import MatchEngine

/// The key of a side, and the code of its country.
struct RoanuzNation {
    let key: String
    let country: String

    /// Names a side; one that is in no table has letters of its name for both, and sides of a league have no country.
    init(_ name: String, isNational: Bool) {
        let letters = name.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "_")
        let known = isNational ? Self.known[name] : nil
        key = known?.key ?? letters
        country = known?.country ?? (isNational ? String(letters.prefix(3)).uppercased() : "")
    }

    private static let known: [String: (key: String, country: String)] = [
        "Pakistan": ("pak", "PAK"), "South Africa": ("rsa", "ZAF"), "India": ("ind", "IND"),
        "Australia": ("aus", "AUS"), "England": ("eng", "GBR"), "Scotland": ("sco", "GBR"),
        "West Indies": ("win", "WIN"), "New Zealand": ("nz", "NZL"), "Sri Lanka": ("sl", "LKA"),
        "Bangladesh": ("ban", "BGD"), "Zimbabwe": ("zim", "ZWE"), "Netherlands": ("ned", "NLD"),
        "Ireland": ("ire", "IRL"), "United Arab Emirates": ("uae", "ARE"), "Afghanistan": ("afg", "AFG"),
    ]
}
