/// The UUIDs of the Polar Measurement Data (PMD) service, 128 bits in lower case (Polar Measurement Data Specification for 3rd
/// Party, "Gatt Service and Characteristics Declaration").
///
/// Indications of the control point are enabled first, then notifications of the data. Straps need an ATT_MTU of 232 bytes for
/// their longest frames.
package enum PolarMeasurementUUID {
  package static let service = "fb005c80-02e7-f387-1cad-8acd2d8df0c8"
  /// The control point: features are read, requests are written with response, responses and notices are indicated.
  package static let controlPoint = "fb005c81-02e7-f387-1cad-8acd2d8df0c8"
  /// The data: frames are notified.
  package static let data = "fb005c82-02e7-f387-1cad-8acd2d8df0c8"
}
