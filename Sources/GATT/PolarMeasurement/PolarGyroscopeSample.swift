/// The rotation at one time about the three axes of a strap, in degrees per second.
package struct PolarGyroscopeSample: Hashable, Sendable {
  package let x: Float
  package let y: Float
  package let z: Float
}
