/// A bundle of FHIR resources, each under a URN by which the others refer to it.
struct FHIRBundle: Encodable {
  struct Entry: Encodable {
    let fullUrl: String
    let resource: FHIRResource
  }

  var resourceType = "Bundle"
  var type = "collection"
  let timestamp: String
  let entry: [Entry]
}
