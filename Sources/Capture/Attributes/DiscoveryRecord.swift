/// The services and characteristics discovered at one end of a link, and the handles that they exclude without naming them.
///
/// A complete discovery of a range of handles determines the meaning of all of them. A known Heart Rate Measurement is excluded
/// when a later discovery of characteristics finds another one but not its declaration, or when a later discovery of primary
/// services finds another service around it, or no service there and the Heart Rate Service elsewhere. An empty result alone
/// excludes nothing, because a response may be missing in the capture.
struct DiscoveryRecord {
  private var services = ServiceMap()
  private var heartRates = NamedHeartRates()
  private var servicePass: DiscoveryPass<ServiceMap.Service>?
  private var declarationPass: DiscoveryPass<UInt16>?

  /// Returns the ordinal of the attribute PDU from which on the primary services exclude a Heart Rate Measurement on a handle,
  /// or `nil` if they do not.
  func ruledOut(_ handle: UInt16) -> Int? {
    services.ruledOut(handle)
  }

  /// Records a handle that was identified as Heart Rate Measurement.
  mutating func name(_ handle: UInt16, declaration: UInt16?) {
    heartRates.add(handle, declaration: declaration, word: services.word(of: handle))
  }

  /// Removes all records of these handles, and discards unfinished passes.
  mutating func forget(_ handles: ClosedRange<UInt16>) {
    services.forget(handles)
    heartRates.remove(handles)
    (servicePass, declarationPass) = (nil, nil)
  }

  /// Removes a handle that was identified as something else.
  mutating func rename(_ handle: UInt16) {
    heartRates.remove(handle...handle)
  }

  /// Adds the primary services in a response. Returns whether that completes the discovery with a new result.
  mutating func found(_ services: [ServiceMap.Service], asked: ClosedRange<UInt16>, at moment: Int) -> Bool {
    guard let last = services.last?.handles, Self.isAnswer(services.map(\.handles), asked) else { return false }
    let isComplete = Self.add(services, to: &servicePass, asked: asked, last: last.upperBound, reach: last.upperBound)
    return isComplete && endServices(moment)
  }

  /// Adds the declarations of characteristics in a response, the last of which has its value at `value`. Returns the heart
  /// rates that are excluded if that completes the discovery.
  mutating func found(declarations: [UInt16], value: UInt16, asked: ClosedRange<UInt16>) -> [UInt16] {
    guard let last = declarations.last, Self.isAnswer(declarations.map { $0...$0 }, asked) else { return [] }
    let isComplete = Self.add(declarations, to: &declarationPass, asked: asked, last: last, reach: value)
    return isComplete ? endDeclarations() : []
  }

  /// Handles the response that there are no more primary services. Returns whether the discovery has a new result.
  mutating func foundNoServices(asked: ClosedRange<UInt16>, at moment: Int) -> Bool {
    if servicePass?.isContinued(by: asked) != true { servicePass = DiscoveryPass(asked: asked) }
    return endServices(moment)
  }

  /// Handles the response that there are no more characteristics. Returns the heart rates that are excluded.
  mutating func foundNoDeclarations(asked: ClosedRange<UInt16>) -> [UInt16] {
    if declarationPass?.isContinued(by: asked) != true { declarationPass = DiscoveryPass(asked: asked) }
    return endDeclarations()
  }

  /// Returns the heart rates that the primary services exclude.
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

  /// Whether a response has only handles that were requested, in ascending order.
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
