/// The acceleration at one time along the three axes of a strap, in thousandths of standard gravity (milli-g). At rest, the
/// magnitude is 1000.
package struct PolarAccelerationSample: Hashable, Sendable {
  package var x: Int32
  package var y: Int32
  package var z: Int32

  /// Creates a sample from its axes in milli-g.
  package init(x: Int32, y: Int32, z: Int32) {
    self.x = x
    self.y = y
    self.z = z
  }
}
