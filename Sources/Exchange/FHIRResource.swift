/// A resource of HL7 FHIR R4 (4.0.1), with the elements that exports use. Names are those of the specification; a resource
/// starts with `resourceType` in JSON.
enum FHIRResource: Encodable {
  case patient(Patient)
  case device(Device)
  case observation(Observation)
  case document(DocumentReference)

  struct Patient: Encodable {
    var resourceType = "Patient"
    let name: [Text]?
  }

  struct Device: Encodable {
    struct Name: Encodable {
      let name: String
      var type = "user-friendly-name"
    }

    var resourceType = "Device"
    let identifier: [Identifier]?
    let manufacturer: String?
    let deviceName: [Name]?
    let modelNumber: String?
    let type: Text
  }

  struct Observation: Encodable {
    var resourceType = "Observation"
    var status = "final"
    let category: [Concept]?
    let code: Concept
    let subject: Reference
    let effectivePeriod: Period
    let valueQuantity: Quantity
    let device: Reference
    let derivedFrom: [Reference]?
    /// The algorithm of the value, or `nil` if the code says enough.
    var method: Text?
  }

  struct DocumentReference: Encodable {
    struct Content: Encodable {
      let attachment: Attachment
    }

    struct Attachment: Encodable {
      let contentType: String
      /// The data in Base64.
      let data: String
      let title: String
    }

    var resourceType = "DocumentReference"
    var status = "current"
    let subject: Reference
    let date: String
    let content: [Content]
  }

  struct Text: Encodable {
    let text: String
  }

  struct Identifier: Encodable {
    let system: String
    let value: String
  }

  struct Reference: Encodable {
    let reference: String
  }

  struct Coding: Encodable {
    let system: String
    let code: String
    let display: String
  }

  struct Concept: Encodable {
    let coding: [Coding]
    let text: String
  }

  struct Period: Encodable {
    let start: String
    let end: String
  }

  struct Quantity: Encodable {
    let value: Double
    let unit: String
    var system = "http://unitsofmeasure.org"
    /// The UCUM code.
    let code: String
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .patient(let resource): try resource.encode(to: encoder)
    case .device(let resource): try resource.encode(to: encoder)
    case .observation(let resource): try resource.encode(to: encoder)
    case .document(let resource): try resource.encode(to: encoder)
    }
  }
}
