/// Validates values before they are passed to libdbus and sums the size of the body. For invalid values, libdbus would
/// terminate the process, or the bus would close the connection.
struct MessageMeasure {
  /// The maximum size of an array in bytes (D-Bus specification).
  static let largestArray = 64 << 20
  /// The maximum size of a message in bytes that the system bus accepts by default.
  static let largestMessage = 32 << 20
  /// The maximum number of descriptors in a message that the system bus accepts by default.
  static let mostDescriptors = 16
  /// The maximum depth of nested containers, including variants.
  static let deepest = 64

  private static let header = 4096

  /// The size so far, in bytes.
  private(set) var size = 0
  private var descriptors = 0
  private let limit: Int

  init(path: DBusObjectPath) {
    limit = Self.largestMessage - Self.header - path.text.utf8.count
  }

  mutating func add(body: [DBusValue]) throws(DBusError) {
    let signature = body.map(\.type.signature).joined()
    guard DBusSyntax.isSignature(signature) else { throw .invalid("signature \"\(signature)\"") }
    for value in body { try add(value, depth: 0) }
    try checkSize()
  }

  private mutating func add(_ value: DBusValue, depth: Int) throws(DBusError) {
    guard depth <= Self.deepest else { throw .invalid("values nested deeper than \(Self.deepest)") }
    align(value.alignment)
    switch value {
    case .byte: size += 1
    case .int16, .uint16: size += 2
    case .bool, .int32, .uint32: size += 4
    case .int64, .uint64, .double: size += 8
    case .string(let text): try add(text: text)
    case .objectPath(let path): size += 4 + path.text.utf8.count + 1
    case .signature(let text):
      guard DBusSyntax.isSignature(text) else { throw .invalid("signature \"\(text)\"") }
      size += 2 + text.utf8.count
    case .fileDescriptor:
      size += 4
      descriptors += 1
      guard descriptors <= Self.mostDescriptors else {
        throw .invalid("more than \(Self.mostDescriptors) file descriptors in a message")
      }
    case .bytes(let bytes):
      size += 4 + bytes.count
    case .array(let type, let elements):
      size += 4
      align(type.alignment)
      let start = size
      for element in elements { try add(element, as: type, depth: depth + 1) }
      try checkArray(from: start)
    case .dictionary(let key, let type, let entries):
      size += 4
      align(8)
      let start = size
      for entry in entries {
        align(8)
        try add(entry.key, as: key, depth: depth + 2)
        try add(entry.value, as: type, depth: depth + 2)
      }
      try checkArray(from: start)
    case .structure(let fields):
      for field in fields { try add(field, depth: depth + 1) }
    case .variant(let content):
      let signature = content.type.signature
      guard DBusSyntax.isSignature(signature) else { throw .invalid("signature \"\(signature)\"") }
      size += 2 + signature.utf8.count
      try add(content, depth: depth + 1)
    }
    try checkSize()
  }

  private mutating func add(_ value: DBusValue, as type: DBusType, depth: Int) throws(DBusError) {
    guard value.type == type else {
      throw .invalid("\"\(value.type.signature)\" among values of \"\(type.signature)\"")
    }
    try add(value, depth: depth)
  }

  private mutating func add(text: String) throws(DBusError) {
    guard DBusSyntax.isString(text) else { throw .invalid("a string with a NUL") }
    size += 4 + text.utf8.count + 1
  }

  private mutating func align(_ boundary: Int) {
    size = (size + boundary - 1) & ~(boundary - 1)
  }

  private func checkArray(from start: Int) throws(DBusError) {
    guard size - start <= Self.largestArray else { throw .invalid("an array of \(size - start) bytes") }
  }

  private func checkSize() throws(DBusError) {
    guard size <= limit else { throw .invalid("a message of more than \(Self.largestMessage) bytes") }
  }
}

extension DBusValue {
  /// The alignment of the value in bytes. Does not inspect the content of containers.
  fileprivate var alignment: Int {
    switch self {
    case .structure: 8
    default: type.alignment
    }
  }
}
