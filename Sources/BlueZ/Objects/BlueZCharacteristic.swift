/// A characteristic of a connected device.
package struct BlueZCharacteristic: Hashable, Sendable {
  package var path: String
  /// 128 bits in lower case.
  package var uuid: String
  package var flags: Set<String>

  /// The handle of the declaration, as contained in the path. The handle of the value is the next one.
  package var declarationHandle: UInt16? { BlueZPath(path)?.characteristic }

  /// The handle of its value (Core Specification 5.4, Vol 3, Part G, 3.3.1: it follows the declaration).
  package var valueHandle: UInt16? { declarationHandle.flatMap { $0 < .max ? $0 + 1 : nil } }
}
