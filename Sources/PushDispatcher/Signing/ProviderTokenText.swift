// The JWT that authenticates the server to APNs (Apple: "Establishing a token-based connection").

internal import ScoreTypes

/// Writes and signs provider tokens.
enum ProviderTokenText {
    /// `header.claims.signature`: `alg` and `kid` in the header, `iss` and a numeric `iat` in the claims.
    ///
    /// - Throws: `SigningError.signingFailed` if OpenSSL refuses.
    static func signed(
        by key: SigningKey,
        keyID: String,
        teamID: String,
        issuedAt: Int64
    ) throws(SigningError) -> String {
        let header = JSONWriter.document(reservingBytes: 64) { fields in
            fields.field("alg", "ES256")
            fields.field("kid", keyID)
        }
        let claims = JSONWriter.document(reservingBytes: 64) { fields in
            fields.field("iss", teamID)
            fields.field("iat", issuedAt)
        }
        let message = Base64URL.text(header) + "." + Base64URL.text(claims)
        return message + "." + Base64URL.text(try key.signature(of: Array(message.utf8)))
    }
}
