/// A section that is not there, with the reason.
struct UnavailableSection: Encodable {
  let unavailable: String
}
