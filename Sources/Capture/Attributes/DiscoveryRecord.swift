/// What the discovery of services and characteristics at one end of a link found, and what it therefore ruled out without
/// naming it.
///
/// A discovery that went through a range of handles says of all of them what they are. A Heart Rate Measurement that was named
/// before is none any longer when a later discovery of characteristics finds another one and not its declaration, or when a later
/// discovery of primary services finds another service around it, or none and the Heart Rate Service elsewhere. That nothing
/// was found says nothing alone: an answer may be missing in the capture.
struct DiscoveryRecord {
  private var services = ServiceMap()
  private var heartRates = NamedHeartRates()
  private var servicePass: DiscoveryPass<ServiceMap.Service>?
  private var declarationPass: DiscoveryPass<UInt16>?

  /// Since when the primary services that were found leave no room for a Heart Rate Measurement on a handle: the ordinal of the
  /// attribute PDU; `nil` where they do.
  func ruledOut(_ handle: UInt16) -> Int? {
    services.ruledOut(handle)
  }

  /// Takes a handle that was named as Heart Rate Measurement.
  mutating func name(_ handle: UInt16, declaration: UInt16?) {
    heartRates.add(handle, declaration: declaration, word: services.word(of: handle))
  }

  /// Forgets all about these handles.
  mutating func forget(_ handles: ClosedRange<UInt16>) {
    services.forget(handles)
    heartRates.remove(handles)
    (servicePass, declarationPass) = (nil, nil)
  }

  /// Takes a handle that was named as something else.
  mutating func rename(_ handle: UInt16) {
    heartRates.remove(handle...handle)
  }

  /// Takes the primary services in the answer to a request. Whether it says anything new, now that nothing is left to ask.
  mutating func found(_ services: [ServiceMap.Service], asked: ClosedRange<UInt16>, at moment: Int) -> Bool {
    guard let last = services.last?.handles, Self.isAnswer(services.map(\.handles), asked) else { return false }
    let isComplete = Self.add(services, to: &servicePass, asked: asked, last: last.upperBound, reach: last.upperBound)
    return isComplete && endServices(moment)
  }

  /// Takes the declarations of characteristics in the answer to a request; the last has its value at `value`. The heart rates that are
  /// ruled out, now that nothing is left to ask.
  mutating func found(declarations: [UInt16], value: UInt16, asked: ClosedRange<UInt16>) -> [UInt16] {
    guard let last = declarations.last, Self.isAnswer(declarations.map { $0...$0 }, asked) else { return [] }
    let isComplete = Self.add(declarations, to: &declarationPass, asked: asked, last: last, reach: value)
    return isComplete ? endDeclarations() : []
  }

  /// Takes the answer that no primary services are left. Whether that says anything new.
  mutating func foundNoServices(asked: ClosedRange<UInt16>, at moment: Int) -> Bool {
    if servicePass?.isContinued(by: asked) != true { servicePass = DiscoveryPass(asked: asked) }
    return endServices(moment)
  }

  /// Takes the answer that no characteristics are left; the heart rates that are ruled out.
  mutating func foundNoDeclarations(asked: ClosedRange<UInt16>) -> [UInt16] {
    if declarationPass?.isContinued(by: asked) != true { declarationPass = DiscoveryPass(asked: asked) }
    return endDeclarations()
  }

  /// The heart rates that the primary services rule out.
  mutating func ruledOutByServices() -> [UInt16] {
    heartRates.handles(ruledOutBy: services)
  }

  private mutating func endServices(_ moment: Int) -> Bool {
    guard let pass = servicePass.take() else { return false }
    return services.discover(pass.range, pass.items, at: moment)
  }

  private mutating func endDeclarations() -> [UInt16] {
    guard let pass = declarationPass.take() else { return [] }
    return heartRates.handles(declaredIn: pass.range, without: pass.items)
  }

  /// Whether an answer has handles that were asked for, in their order.
  private static func isAnswer(_ handles: [ClosedRange<UInt16>], _ asked: ClosedRange<UInt16>) -> Bool {
    handles.allSatisfy { asked.contains($0.lowerBound) }
      && zip(handles, handles.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }
  }

  private static func add<Item>(
    _ items: [Item], to pass: inout DiscoveryPass<Item>?, asked: ClosedRange<UInt16>, last: UInt16, reach: UInt16
  ) -> Bool {
    if pass?.isContinued(by: asked) != true { pass = DiscoveryPass(asked: asked) }
    return pass?.add(items, last: last, reach: reach) ?? false
  }
}
