/// The signals of an optical sensor at one time, in units of its converter.
package enum PolarPPGSample: Hashable, Sendable {
  /// Three channels of the light, and the ambient light.
  case light([Int32], ambient: Int32)
  /// The mode of the sensor.
  case operationMode(UInt32)
  /// 24 channels of the light, and 24 bits of status.
  case lightArray([Int32], status: UInt32)
}
