/// The JSON output of `scan`.
package struct ScannedStraps: Encodable {
  package let straps: [ScannedStrap]

  package init(straps: [ScannedStrap]) {
    self.straps = straps
  }
}
