/// A complete D-Bus type.
package enum DBusType: Hashable, Sendable {
  case byte, bool, int16, uint16, int32, uint32, int64, uint64, double
  case string, objectPath, signature, fileDescriptor, variant
  indirect case array(DBusType)
  /// `a{key value}`. In D-Bus, dictionary entries occur only as elements of an array.
  indirect case dictionary(DBusType, DBusType)
  case structure([DBusType])

  /// The D-Bus signature of the type, for example `a{sv}`.
  package var signature: String {
    switch self {
    case .array(let element): "a" + element.signature
    case .dictionary(let key, let value): "a{" + key.signature + value.signature + "}"
    case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
    default: String(UnicodeScalar(code))
    }
  }

  /// Returns the types in a signature, in order. An empty text has no types.
  /// - Throws: `DBusError.invalid` for a text that is not a signature, is longer than 255 bytes, or is nested deeper than 32
  ///   arrays or 32 structures.
  package static func parse(_ signature: String) throws(DBusError) -> [DBusType] {
    var parser = SignatureParser(signature)
    return try parser.types()
  }

  /// The type code of libdbus: that of an array for a dictionary, `r` for a structure.
  var code: UInt8 {
    switch self {
    case .byte: UInt8(ascii: "y")
    case .bool: UInt8(ascii: "b")
    case .int16: UInt8(ascii: "n")
    case .uint16: UInt8(ascii: "q")
    case .int32: UInt8(ascii: "i")
    case .uint32: UInt8(ascii: "u")
    case .int64: UInt8(ascii: "x")
    case .uint64: UInt8(ascii: "t")
    case .double: UInt8(ascii: "d")
    case .string: UInt8(ascii: "s")
    case .objectPath: UInt8(ascii: "o")
    case .signature: UInt8(ascii: "g")
    case .fileDescriptor: UInt8(ascii: "h")
    case .variant: UInt8(ascii: "v")
    case .array, .dictionary: UInt8(ascii: "a")
    case .structure: UInt8(ascii: "r")
    }
  }

  /// The alignment in bytes of a value of this type in a message.
  var alignment: Int {
    switch self {
    case .byte, .signature, .variant: 1
    case .int16, .uint16: 2
    case .int64, .uint64, .double, .structure: 8
    default: 4
    }
  }

  /// Returns the type with the given code, or `nil` if it is not the code of a basic type.
  static func basic(code: UInt8) -> DBusType? {
    switch code {
    case UInt8(ascii: "y"): .byte
    case UInt8(ascii: "b"): .bool
    case UInt8(ascii: "n"): .int16
    case UInt8(ascii: "q"): .uint16
    case UInt8(ascii: "i"): .int32
    case UInt8(ascii: "u"): .uint32
    case UInt8(ascii: "x"): .int64
    case UInt8(ascii: "t"): .uint64
    case UInt8(ascii: "d"): .double
    case UInt8(ascii: "s"): .string
    case UInt8(ascii: "o"): .objectPath
    case UInt8(ascii: "g"): .signature
    case UInt8(ascii: "h"): .fileDescriptor
    default: nil
    }
  }
}
