// The person's consent to the registration of this phone, which the app keeps: the client forgets an erased phone.

import Foundation

enum Consent {
    private static let key = "isErased"

    /// Whether the phone may be registered: it was not erased, or the person has registered it again since.
    static var isGiven: Bool {
        get { !UserDefaults.standard.bool(forKey: key) }
        set { UserDefaults.standard.set(!newValue, forKey: key) }
    }
}
