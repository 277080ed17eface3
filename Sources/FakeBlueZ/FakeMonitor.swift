import DBus

/// An advertisement monitor that a client exposes (BlueZ doc/org.bluez.AdvertisementMonitor.rst).
package struct FakeMonitor: Hashable, Sendable {
  /// A pattern of bytes at an offset in an advertisement field of a given type.
  struct Pattern: Hashable, Sendable {
    private static let longest = 31

    let start: UInt8
    let type: UInt8
    let content: [UInt8]

    /// Reads `(yyay)`. Returns `nil` for patterns that bluetoothd rejects.
    init?(_ value: DBusValue) {
      guard case .structure(let fields) = value, fields.count == 3, case .byte(let start) = fields[0],
        case .byte(let type) = fields[1], case .bytes(let content) = fields[2], !content.isEmpty,
        Int(start) + content.count <= Self.longest
      else { return nil }
      self.start = start
      self.type = type
      self.content = content
    }

    func matches(_ field: FakeStrap.Field) -> Bool {
      field.type == type && field.data.dropFirst(Int(start)).starts(with: content)
    }
  }

  let path: DBusObjectPath
  private let patterns: [Pattern]

  /// Reads the properties of a monitor. Returns `nil` if bluetoothd rejects them.
  init?(path: DBusObjectPath, _ properties: [String: DBusValue]) {
    guard properties["Type"] == .string("or_patterns"), case .array(_, let values)? = properties["Patterns"],
      !values.isEmpty
    else { return nil }
    self.path = path
    patterns = values.compactMap(Pattern.init)
    if patterns.count != values.count { return nil }
  }

  /// Whether the monitor matches a strap.
  func matches(_ strap: FakeStrap) -> Bool {
    strap.fields.contains { field in patterns.contains { $0.matches(field) } }
  }
}
