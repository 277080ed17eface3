/// What an edit is about.
package struct EditTarget: Hashable, Sendable {
  /// The kind of a target. Kinds of newer programs are kept by their number.
  package enum Kind: Hashable, Sendable {
    case session, strap, person, measurement, station, marker, reading
    /// A selection of sessions and a category of their data, which can only be deleted.
    case selection
    case unknown(UInt8)

    private static let numbered: [Kind] = [
      .session, .strap, .person, .measurement, .station, .marker, .reading, .selection,
    ]

    package init(number: UInt8) {
      self = number >= 1 && number <= Self.numbered.count ? Self.numbered[Int(number) - 1] : .unknown(number)
    }

    /// The number in the encoded form.
    package var number: UInt8 {
      if case .unknown(let number) = self { return number }
      return UInt8((Self.numbered.firstIndex(of: self) ?? 0) + 1)
    }
  }

  package let kind: Kind
  /// The identifier of the target among those of its kind.
  package let id: String

  package init(kind: Kind, id: String) {
    self.kind = kind
    self.id = id
  }
}

extension EditTarget: Comparable {
  package static func < (left: EditTarget, right: EditTarget) -> Bool {
    (left.kind.number, left.id) < (right.kind.number, right.id)
  }
}
