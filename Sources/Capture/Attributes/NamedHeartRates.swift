/// The handles that discovery identified as Heart Rate Measurement at one end of a link, with their declarations and services.
struct NamedHeartRates {
  private struct Named {
    let handle: UInt16
    /// The handle of the declaration that named it.
    let declaration: UInt16?
    /// The known service around it, if any.
    var word: ServiceMap.Word?
  }

  /// The most handles that are kept. A strap has one.
  private static let mostHandles = 64

  private var named: [Named] = []

  mutating func add(_ handle: UInt16, declaration: UInt16?, word: ServiceMap.Word?) {
    let known = named.firstIndex { $0.handle == handle }.map { named.remove(at: $0) }
    guard named.count < Self.mostHandles else { return }
    named.append(Named(handle: handle, declaration: declaration ?? known?.declaration, word: word))
  }

  mutating func remove(_ handles: ClosedRange<UInt16>) {
    named.removeAll { handles.contains($0.handle) }
  }

  /// Returns the handles whose declarations are in `range` but not among `declarations`, which are all declarations there.
  /// Returns none if `declarations` do not include one of another heart rate, since a response may be missing in the capture.
  func handles(declaredIn range: ClosedRange<UInt16>, without declarations: [UInt16]) -> [UInt16] {
    let isMoved = named.contains { named in named.declaration.map(declarations.contains) ?? false }
    guard isMoved else { return [] }
    return named.compactMap { named in
      guard let declaration = named.declaration, range.contains(declaration) else { return nil }
      return declarations.contains(declaration) ? nil : named.handle
    }
  }

  /// Returns the handles whose service has changed since they were identified, and now excludes heart rate.
  mutating func handles(ruledOutBy services: ServiceMap) -> [UInt16] {
    var ruledOut: [UInt16] = []
    for index in named.indices {
      guard let word = services.word(of: named[index].handle), word != named[index].word else { continue }
      // A vendor-specific service is accepted only if the previous service was unknown.
      if word.isHeartRate || (named[index].word == nil && word.canHaveHeartRate) {
        named[index].word = word
      } else {
        ruledOut.append(named[index].handle)
      }
    }
    return ruledOut
  }
}
