/// A valid D-Bus object path (D-Bus specification, "Valid Object Paths").
package struct DBusObjectPath: Hashable, Sendable, CustomStringConvertible {
  package static let root = DBusObjectPath(trusted: "/")

  package let text: String

  /// - Throws: `DBusError.invalid` when `text` is not an object path.
  package init(validating text: String) throws(DBusError) {
    guard DBusSyntax.isObjectPath(text) else { throw .invalid("object path \"\(text)\"") }
    self.text = text
  }

  /// Creates a path from text that libdbus has validated.
  init(trusted text: String) {
    self.text = text
  }

  package var description: String { text }

  /// Returns the path with one element appended.
  /// - Throws: `DBusError.invalid` when `element` is empty or contains characters other than A–Z, a–z, 0–9 and `_`.
  package func appending(_ element: String) throws(DBusError) -> DBusObjectPath {
    guard !element.utf8.contains(UInt8(ascii: "/")) else { throw .invalid("path element \"\(element)\"") }
    return try DBusObjectPath(validating: self == .root ? "/" + element : text + "/" + element)
  }

  /// Whether this is `ancestor` or below it.
  package func isWithin(_ ancestor: DBusObjectPath) -> Bool {
    DBusSyntax.isPath(text, within: ancestor.text)
  }
}
