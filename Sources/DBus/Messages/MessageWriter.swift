import CDBus

/// Appends values to a message. The values must have been validated by `MessageMeasure`.
enum MessageWriter {
  static func append(_ value: DBusValue, to iterator: inout DBusMessageIter) throws(DBusError) {
    switch value {
    case .byte(let value): try append(value, .byte, &iterator)
    case .bool(let value): try append(dbus_bool_t(value ? 1 : 0), .bool, &iterator)
    case .int16(let value): try append(value, .int16, &iterator)
    case .uint16(let value): try append(value, .uint16, &iterator)
    case .int32(let value): try append(value, .int32, &iterator)
    case .uint32(let value): try append(value, .uint32, &iterator)
    case .int64(let value): try append(value, .int64, &iterator)
    case .uint64(let value): try append(value, .uint64, &iterator)
    case .double(let value): try append(value, .double, &iterator)
    case .string(let text): try append(text: text, .string, &iterator)
    case .objectPath(let path): try append(text: path.text, .objectPath, &iterator)
    case .signature(let text): try append(text: text, .signature, &iterator)
    case .fileDescriptor(let descriptor): try append(descriptor, &iterator)
    case .bytes(let bytes):
      try append(container: .array(.byte), content: "y", &iterator) { inner throws(DBusError) in
        try append(bytes, &inner)
      }
    case .array(let type, let elements):
      try append(container: .array(type), content: type.signature, &iterator) { inner throws(DBusError) in
        for element in elements { try append(element, to: &inner) }
      }
    case .dictionary(let key, let type, let entries):
      let content = "{" + key.signature + type.signature + "}"
      try append(container: .dictionary(key, type), content: content, &iterator) { inner throws(DBusError) in
        for entry in entries { try append(entry, &inner) }
      }
    case .structure(let fields):
      try append(code: DBusType.structure([]).code, content: nil, &iterator) { inner throws(DBusError) in
        for field in fields { try append(field, to: &inner) }
      }
    case .variant(let content):
      try append(container: .variant, content: content.type.signature, &iterator) { inner throws(DBusError) in
        try append(content, to: &inner)
      }
    }
  }

  // MARK: - One value

  private static func append<Value: BitwiseCopyable>(
    _ value: Value, _ type: DBusType, _ iterator: inout DBusMessageIter
  ) throws(DBusError) {
    let isDone = withUnsafePointer(to: value) { dbus_message_iter_append_basic(&iterator, Int32(type.code), $0) }
    guard isDone != 0 else { throw .outOfMemory }
  }

  private static func append(
    text: String, _ type: DBusType, _ iterator: inout DBusMessageIter
  ) throws(DBusError) {
    let isDone = text.withCString { characters in
      withUnsafePointer(to: characters) { dbus_message_iter_append_basic(&iterator, Int32(type.code), $0) }
    }
    guard isDone != 0 else { throw .outOfMemory }
  }

  /// libdbus duplicates the descriptor; the original stays open.
  private static func append(
    _ descriptor: DBusFileDescriptor, _ iterator: inout DBusMessageIter
  ) throws(DBusError) {
    var inner = iterator
    let isDone = descriptor.withDescriptor { number -> Bool in
      guard let number, number >= 0 else { return false }
      return withUnsafePointer(to: number) {
        dbus_message_iter_append_basic(&inner, Int32(DBusType.fileDescriptor.code), $0) != 0
      }
    }
    iterator = inner
    guard isDone else { throw .invalid("a file descriptor that is not open") }
  }

  private static func append(_ bytes: [UInt8], _ iterator: inout DBusMessageIter) throws(DBusError) {
    guard !bytes.isEmpty else { return }
    let isDone = bytes.withUnsafeBufferPointer { buffer in
      withUnsafePointer(to: buffer.baseAddress) {
        dbus_message_iter_append_fixed_array(&iterator, Int32(DBusType.byte.code), $0, Int32(buffer.count))
      }
    }
    guard isDone != 0 else { throw .outOfMemory }
  }

  private static func append(
    _ entry: (key: DBusValue, value: DBusValue), _ iterator: inout DBusMessageIter
  ) throws(DBusError) {
    try append(code: UInt8(ascii: "e"), content: nil, &iterator) { inner throws(DBusError) in
      try append(entry.key, to: &inner)
      try append(entry.value, to: &inner)
    }
  }

  // MARK: - Containers

  private static func append(
    container: DBusType, content: String, _ iterator: inout DBusMessageIter,
    _ body: (inout DBusMessageIter) throws(DBusError) -> Void
  ) throws(DBusError) {
    try append(code: container.code, content: content, &iterator, body)
  }

  private static func append(
    code: UInt8, content: String?, _ iterator: inout DBusMessageIter,
    _ body: (inout DBusMessageIter) throws(DBusError) -> Void
  ) throws(DBusError) {
    var inner = DBusMessageIter()
    guard dbus_message_iter_open_container(&iterator, Int32(code), content, &inner) != 0 else { throw .outOfMemory }
    do {
      try body(&inner)
    } catch {
      dbus_message_iter_abandon_container(&iterator, &inner)
      throw error
    }
    guard dbus_message_iter_close_container(&iterator, &inner) != 0 else { throw .outOfMemory }
  }
}
