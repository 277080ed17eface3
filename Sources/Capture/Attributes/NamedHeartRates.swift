/// The handles that discovery named as Heart Rate Measurement at one end of a link, and under what.
struct NamedHeartRates {
  private struct Named {
    let handle: UInt16
    /// The handle of the declaration that named it.
    let declaration: UInt16?
    /// What was known of the service around it.
    var word: ServiceMap.Word?
  }

  /// The most that are kept: a strap has one.
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

  /// Those whose declarations stand in `range` and are not among `declarations`, which are all that stand there; none where
  /// these do not name another heart rate, since an answer may be missing in the capture.
  func handles(declaredIn range: ClosedRange<UInt16>, without declarations: [UInt16]) -> [UInt16] {
    let isMoved = named.contains { named in named.declaration.map(declarations.contains) ?? false }
    guard isMoved else { return [] }
    return named.compactMap { named in
      guard let declaration = named.declaration, range.contains(declaration) else { return nil }
      return declarations.contains(declaration) ? nil : named.handle
    }
  }

  /// Those around which `services` says something else than when they were named, and where no heart rate can be.
  mutating func handles(ruledOutBy services: ServiceMap) -> [UInt16] {
    var ruledOut: [UInt16] = []
    for index in named.indices {
      guard let word = services.word(of: named[index].handle), word != named[index].word else { continue }
      // A service of a maker's own takes the place of another only where that was known.
      if word.isHeartRate || (named[index].word == nil && word.canHaveHeartRate) {
        named[index].word = word
      } else {
        ruledOut.append(named[index].handle)
      }
    }
    return ruledOut
  }
}
