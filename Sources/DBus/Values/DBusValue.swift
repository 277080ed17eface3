/// A D-Bus value.
package enum DBusValue: Hashable, Sendable {
  case byte(UInt8)
  case bool(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case objectPath(DBusObjectPath)
  case signature(String)
  case fileDescriptor(DBusFileDescriptor)
  /// `ay`. A received `ay` is always this case.
  case bytes([UInt8])
  /// Any other array. Every element has the type `of`.
  case array(of: DBusType, [DBusValue])
  /// `a{…}`. The order of the entries is not preserved; the last one of equal keys counts.
  case dictionary(key: DBusType, value: DBusType, [DBusValue: DBusValue])
  case structure([DBusValue])
  indirect case variant(DBusValue)

  package var type: DBusType {
    switch self {
    case .byte: .byte
    case .bool: .bool
    case .int16: .int16
    case .uint16: .uint16
    case .int32: .int32
    case .uint32: .uint32
    case .int64: .int64
    case .uint64: .uint64
    case .double: .double
    case .string: .string
    case .objectPath: .objectPath
    case .signature: .signature
    case .fileDescriptor: .fileDescriptor
    case .bytes: .array(.byte)
    case .array(let element, _): .array(element)
    case .dictionary(let key, let value, _): .dictionary(key, value)
    case .structure(let fields): .structure(fields.map(\.type))
    case .variant: .variant
    }
  }

  // MARK: - Building common shapes

  /// Returns an `a{sv}` with each of the values wrapped in a variant.
  package static func properties(_ values: [String: DBusValue]) -> DBusValue {
    let entries = values.map { (DBusValue.string($0), DBusValue.variant($1)) }
    return .dictionary(key: .string, value: .variant, Dictionary(entries) { $1 })
  }

  /// `as`.
  package static func strings(_ texts: [String]) -> DBusValue {
    .array(of: .string, texts.map(DBusValue.string))
  }

  // MARK: - Taking values out, without coercion

  package func asByte() throws(DBusError) -> UInt8 {
    guard case .byte(let value) = self else { throw mismatch("a byte") }
    return value
  }

  package func asBool() throws(DBusError) -> Bool {
    guard case .bool(let value) = self else { throw mismatch("a boolean") }
    return value
  }

  package func asInt16() throws(DBusError) -> Int16 {
    guard case .int16(let value) = self else { throw mismatch("an int16") }
    return value
  }

  package func asUInt16() throws(DBusError) -> UInt16 {
    guard case .uint16(let value) = self else { throw mismatch("a uint16") }
    return value
  }

  package func asInt32() throws(DBusError) -> Int32 {
    guard case .int32(let value) = self else { throw mismatch("an int32") }
    return value
  }

  package func asUInt32() throws(DBusError) -> UInt32 {
    guard case .uint32(let value) = self else { throw mismatch("a uint32") }
    return value
  }

  package func asInt64() throws(DBusError) -> Int64 {
    guard case .int64(let value) = self else { throw mismatch("an int64") }
    return value
  }

  package func asUInt64() throws(DBusError) -> UInt64 {
    guard case .uint64(let value) = self else { throw mismatch("a uint64") }
    return value
  }

  package func asDouble() throws(DBusError) -> Double {
    guard case .double(let value) = self else { throw mismatch("a double") }
    return value
  }

  package func asString() throws(DBusError) -> String {
    guard case .string(let value) = self else { throw mismatch("a string") }
    return value
  }

  package func asPath() throws(DBusError) -> DBusObjectPath {
    guard case .objectPath(let value) = self else { throw mismatch("an object path") }
    return value
  }

  /// The text of a `g`.
  package func asSignature() throws(DBusError) -> String {
    guard case .signature(let value) = self else { throw mismatch("a signature") }
    return value
  }

  package func asFileDescriptor() throws(DBusError) -> DBusFileDescriptor {
    guard case .fileDescriptor(let value) = self else { throw mismatch("a file descriptor") }
    return value
  }

  package func asBytes() throws(DBusError) -> [UInt8] {
    guard case .bytes(let value) = self else { throw mismatch("an array of bytes") }
    return value
  }

  /// The elements of an array that is not `ay`.
  package func asArray() throws(DBusError) -> [DBusValue] {
    guard case .array(_, let elements) = self else { throw mismatch("an array") }
    return elements
  }

  package func asStrings() throws(DBusError) -> [String] {
    guard case .array(.string, let elements) = self else { throw mismatch("an array of strings") }
    var texts: [String] = []
    for element in elements { texts.append(try element.asString()) }
    return texts
  }

  package func asDictionary() throws(DBusError) -> [DBusValue: DBusValue] {
    guard case .dictionary(_, _, let entries) = self else { throw mismatch("a dictionary") }
    return entries
  }

  /// The entries of an `a{sv}`, with the variants unwrapped.
  package func asProperties() throws(DBusError) -> [String: DBusValue] {
    guard case .dictionary(.string, .variant, let entries) = self else { throw mismatch("a dictionary a{sv}") }
    var properties: [String: DBusValue] = [:]
    properties.reserveCapacity(entries.count)
    for (key, value) in entries { properties[try key.asString()] = try value.asVariant() }
    return properties
  }

  package func asStructure() throws(DBusError) -> [DBusValue] {
    guard case .structure(let fields) = self else { throw mismatch("a structure") }
    return fields
  }

  /// The value in a variant.
  package func asVariant() throws(DBusError) -> DBusValue {
    guard case .variant(let value) = self else { throw mismatch("a variant") }
    return value
  }

  private func mismatch(_ wanted: String) -> DBusError {
    .unexpected("\(wanted) was expected, \"\(type.signature)\" came")
  }
}

extension [DBusValue] {
  /// Returns these values if there are exactly `count`.
  /// - Throws: `DBusError.unexpected` for another number of values.
  package func exactly(_ count: Int) throws(DBusError) -> [DBusValue] {
    guard self.count == count else {
      throw .unexpected("\(count) values were expected, \"\(map(\.type.signature).joined())\" came")
    }
    return self
  }
}
