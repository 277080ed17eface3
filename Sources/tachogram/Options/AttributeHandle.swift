import ArgumentParser

/// An attribute handle, decimal or with `0x`, 1 … 65 535.
struct AttributeHandle: ExpressibleByArgument {
  let value: UInt16

  init?(argument: String) {
    let text = argument.lowercased()
    let parsed = text.hasPrefix("0x") ? UInt16(text.dropFirst(2), radix: 16) : UInt16(text)
    guard let parsed, parsed > 0 else { return nil }
    value = parsed
  }
}
