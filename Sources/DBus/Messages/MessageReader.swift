import CDBus
import Glibc

/// Reads the values of a message, which libdbus has already validated.
enum MessageReader {
  static func arguments(of message: OpaquePointer) throws(DBusError) -> [DBusValue] {
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(message, &iterator) != 0 else { return [] }
    guard let signature = dbus_message_get_signature(message) else { return [] }
    var values: [DBusValue] = []
    for type in try types(of: signature) {
      values.append(try value(at: &iterator, type: type))
      dbus_message_iter_next(&iterator)
    }
    return values
  }

  /// Returns the value of an entry of the `a{sv}` in a message `sa{sv}…` whose first argument is `interface`. Returns `nil` if
  /// the first argument is another interface or there is no such entry. The last one of equal keys counts.
  static func property(
    _ property: String, of interface: String, in message: OpaquePointer
  ) throws(DBusError) -> DBusValue? {
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(message, &iterator) != 0, isText(&iterator, interface) else { return nil }
    dbus_message_iter_next(&iterator)
    var found: DBusValue?
    try each(&iterator) { inner throws(DBusError) in
      var entry = DBusMessageIter()
      dbus_message_iter_recurse(&inner, &entry)
      guard isText(&entry, property) else { return }
      dbus_message_iter_next(&entry)
      var content = DBusMessageIter()
      dbus_message_iter_recurse(&entry, &content)
      found = try value(at: &content, type: try contentType(&content))
    }
    return found
  }

  static func value(
    at iterator: inout DBusMessageIter, type: DBusType, depth: Int = 0
  ) throws(DBusError) -> DBusValue {
    let code = dbus_message_iter_get_arg_type(&iterator)
    guard code == Int32(type.code) else {
      throw .unexpected("\"\(type.signature)\" was expected, type code \(code) came")
    }
    guard depth <= MessageMeasure.deepest else {
      throw .unexpected("values nested deeper than \(MessageMeasure.deepest)")
    }
    switch type {
    case .byte: return .byte(basic(&iterator, 0))
    case .bool: return .bool(basic(&iterator, dbus_bool_t(0)) != 0)
    case .int16: return .int16(basic(&iterator, 0))
    case .uint16: return .uint16(basic(&iterator, 0))
    case .int32: return .int32(basic(&iterator, 0))
    case .uint32: return .uint32(basic(&iterator, 0))
    case .int64: return .int64(basic(&iterator, 0))
    case .uint64: return .uint64(basic(&iterator, 0))
    case .double: return .double(basic(&iterator, 0))
    case .string: return .string(try text(&iterator))
    case .objectPath: return .objectPath(DBusObjectPath(trusted: try text(&iterator)))
    case .signature: return .signature(try text(&iterator))
    case .fileDescriptor:
      let descriptor = basic(&iterator, Int32(-1))
      guard descriptor >= 0 else { throw .unexpected("a file descriptor could not be duplicated") }
      return .fileDescriptor(DBusFileDescriptor(owning: descriptor))
    case .array(.byte): return .bytes(bytes(&iterator))
    case .array(let element):
      var elements: [DBusValue] = []
      try each(&iterator) { inner throws(DBusError) in
        elements.append(try value(at: &inner, type: element, depth: depth + 1))
      }
      return .array(of: element, elements)
    case .dictionary(let key, let content):
      var entries: [DBusValue: DBusValue] = [:]
      try each(&iterator) { inner throws(DBusError) in
        var entry = DBusMessageIter()
        dbus_message_iter_recurse(&inner, &entry)
        let name = try value(at: &entry, type: key, depth: depth + 2)
        dbus_message_iter_next(&entry)
        entries[name] = try value(at: &entry, type: content, depth: depth + 2)
      }
      return .dictionary(key: key, value: content, entries)
    case .structure(let types):
      var inner = DBusMessageIter()
      dbus_message_iter_recurse(&iterator, &inner)
      var fields: [DBusValue] = []
      for type in types {
        fields.append(try value(at: &inner, type: type, depth: depth + 1))
        dbus_message_iter_next(&inner)
      }
      return .structure(fields)
    case .variant:
      var inner = DBusMessageIter()
      dbus_message_iter_recurse(&iterator, &inner)
      return .variant(try value(at: &inner, type: try contentType(&inner), depth: depth + 1))
    }
  }

  // MARK: - One value

  private static func basic<Value: BitwiseCopyable>(_ iterator: inout DBusMessageIter, _ initial: Value) -> Value {
    var value = initial
    withUnsafeMutablePointer(to: &value) { dbus_message_iter_get_basic(&iterator, $0) }
    return value
  }

  private static func text(_ iterator: inout DBusMessageIter) throws(DBusError) -> String {
    guard let characters = basic(&iterator, UnsafePointer<CChar>?.none) else { throw .unexpected("no text") }
    return String(cString: characters)
  }

  /// Whether the string at the iterator is equal to `text`. Does not create a `String`.
  private static func isText(_ iterator: inout DBusMessageIter, _ text: String) -> Bool {
    guard let characters = basic(&iterator, UnsafePointer<CChar>?.none) else { return false }
    // `text` may contain a NUL; the string at the iterator does not.
    return strcmp(characters, text) == 0 && strlen(characters) == text.utf8.count
  }

  private static func bytes(_ iterator: inout DBusMessageIter) -> [UInt8] {
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    var start: UnsafePointer<UInt8>?
    var count: Int32 = 0
    withUnsafeMutablePointer(to: &start) { dbus_message_iter_get_fixed_array(&inner, $0, &count) }
    return Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }

  private static func each(
    _ iterator: inout DBusMessageIter, _ body: (inout DBusMessageIter) throws(DBusError) -> Void
  ) throws(DBusError) {
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    while dbus_message_iter_get_arg_type(&inner) != endOfValues {
      try body(&inner)
      dbus_message_iter_next(&inner)
    }
  }

  /// `DBUS_TYPE_INVALID`, which is defined with a cast and therefore not imported.
  private static let endOfValues: Int32 = 0

  // MARK: - Types

  private static func types(of signature: UnsafePointer<CChar>) throws(DBusError) -> [DBusType] {
    if signature[0] != 0, signature[1] == 0, let type = DBusType.basic(code: UInt8(bitPattern: signature[0])) {
      return [type]
    }
    do { return try DBusType.parse(String(cString: signature)) } catch {
      throw .unexpected("signature \"\(String(cString: signature))\"")
    }
  }

  /// Returns the type of the value in a variant.
  private static func contentType(_ iterator: inout DBusMessageIter) throws(DBusError) -> DBusType {
    if let type = DBusType.basic(code: UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(&iterator))) {
      return type
    }
    if dbus_message_iter_get_arg_type(&iterator) == Int32(DBusType.array(.byte).code),
      dbus_message_iter_get_element_type(&iterator) == Int32(DBusType.byte.code)
    {
      return .array(.byte)
    }
    guard let signature = dbus_message_iter_get_signature(&iterator) else { throw .outOfMemory }
    defer { dbus_free(signature) }
    guard let type = try types(of: signature).first else { throw .unexpected("a variant without a value") }
    return type
  }
}
