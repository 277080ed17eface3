import CDBus

/// Validates text before it is passed to libdbus, which terminates the process for an invalid name.
package enum DBusSyntax {
  /// Whether `text` contains no NUL, which D-Bus strings must not contain. Swift strings are always valid UTF-8.
  static func isString(_ text: String) -> Bool { !text.utf8.contains(0) }

  static func isObjectPath(_ text: String) -> Bool { isString(text) && dbus_validate_path(text, nil) != 0 }

  static func isInterface(_ text: String) -> Bool { isString(text) && dbus_validate_interface(text, nil) != 0 }

  static func isMember(_ text: String) -> Bool { isString(text) && dbus_validate_member(text, nil) != 0 }

  static func isErrorName(_ text: String) -> Bool { isString(text) && dbus_validate_error_name(text, nil) != 0 }

  static func isBusName(_ text: String) -> Bool { isString(text) && dbus_validate_bus_name(text, nil) != 0 }

  /// Whether `text` is a valid signature according to libdbus.
  package static func isSignature(_ text: String) -> Bool { isString(text) && dbus_signature_validate(text, nil) != 0 }

  /// Whether `path` is `ancestor` or below it.
  static func isPath(_ path: String, within ancestor: String) -> Bool {
    guard ancestor != "/", path != ancestor else { return true }
    return path.utf8.count > ancestor.utf8.count && path.utf8.starts(with: ancestor.utf8)
      && path.utf8.dropFirst(ancestor.utf8.count).first == UInt8(ascii: "/")
  }
}
