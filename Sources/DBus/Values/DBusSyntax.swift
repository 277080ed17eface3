import CDBus

/// Checks of text before libdbus sees it: it ends the process when it is given an invalid name.
package enum DBusSyntax {
  /// Swift text is UTF-8 already; a D-Bus string must not hold a NUL besides.
  static func isString(_ text: String) -> Bool { !text.utf8.contains(0) }

  static func isObjectPath(_ text: String) -> Bool { isString(text) && dbus_validate_path(text, nil) != 0 }

  static func isInterface(_ text: String) -> Bool { isString(text) && dbus_validate_interface(text, nil) != 0 }

  static func isMember(_ text: String) -> Bool { isString(text) && dbus_validate_member(text, nil) != 0 }

  static func isErrorName(_ text: String) -> Bool { isString(text) && dbus_validate_error_name(text, nil) != 0 }

  static func isBusName(_ text: String) -> Bool { isString(text) && dbus_validate_bus_name(text, nil) != 0 }

  /// Whether libdbus takes `text` for a signature.
  package static func isSignature(_ text: String) -> Bool { isString(text) && dbus_signature_validate(text, nil) != 0 }

  /// Whether `path` is `ancestor` or below it.
  static func isPath(_ path: String, within ancestor: String) -> Bool {
    guard ancestor != "/", path != ancestor else { return true }
    return path.utf8.count > ancestor.utf8.count && path.utf8.starts(with: ancestor.utf8)
      && path.utf8.dropFirst(ancestor.utf8.count).first == UInt8(ascii: "/")
  }
}
