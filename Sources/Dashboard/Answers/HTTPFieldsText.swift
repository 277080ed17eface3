import HTTPTypes

extension HTTPFields {
  /// The value of the first field of a name, in lower case.
  func text(_ name: String) -> String? {
    first { $0.name.canonicalName == name }?.value
  }
}
