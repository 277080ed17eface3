import DBus

/// Signatures: this parser accepts the signatures that libdbus accepts, and writes them unchanged.
enum DBusSignatureFuzz {
  static func run(_ bytes: [UInt8]) throws -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    do {
      let types = try DBusType.parse(text)
      try FuzzFinding.unless(DBusSyntax.isSignature(text), "\"\(text)\" was read, and libdbus refuses it")
      let again = types.map(\.signature).joined()
      try FuzzFinding.unless(again == text, "\"\(text)\" was written as \"\(again)\"")
      return true
    } catch is DBusError {
      // libdbus limits only arrays that directly follow each other, the specification all nested arrays.
      let isDeep = text.utf8.count { $0 == UInt8(ascii: "a") } > 32
      try FuzzFinding.unless(isDeep || !DBusSyntax.isSignature(text), "\"\(text)\" was refused, and libdbus takes it")
      return false
    }
  }
}
