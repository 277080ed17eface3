/// The JSON output of `scan`.
struct ScannedStraps: Encodable {
  let straps: [ScannedStrap]
}
