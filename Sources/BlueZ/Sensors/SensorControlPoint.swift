import DBus
import GATT
import TachogramCore
import Threads

/// The control point of a strap's measurement service on one link: requests, one at a time, with their responses, and the
/// notices of the strap. Responses and notices are counted together, in the order of their arrival.
final class SensorControlPoint: Sendable {
  /// A complete response.
  struct Answer: Sendable {
    let response: PolarControlPointResponse
    /// The response as it was received; if it had several parts, in one.
    let bytes: [UInt8]
    let number: Int
  }

  /// A notice that the strap ended streams.
  struct Notice: Sendable {
    let measurements: [PolarMeasurementType]
    let bytes: [UInt8]
    let number: Int
  }

  private struct Pending {
    var assembler: PolarResponseAssembler
    var parts = 0
    let answer: AsyncStream<Answer>.Continuation
  }

  private struct State {
    var pending: Pending?
    var count = 0
  }

  private let path: String
  private let steps: StrapSteps
  private let timing: SensorStreamTiming
  private let onNotice: @Sendable (Notice) -> Void
  private let state = Guarded(State())

  /// `onNotice` is called for each notice, on the thread that reads the bus.
  init(
    _ path: String, steps: StrapSteps, timing: SensorStreamTiming, onNotice: @escaping @Sendable (Notice) -> Void,
  ) {
    self.path = path
    self.steps = steps
    self.timing = timing
    self.onNotice = onNotice
  }

  /// Enables the indications.
  func open() async throws(SensorStreamFault) {
    // The handler is set before the call, because the daemon itself restores the subscription of an earlier link.
    let isShared = steps.client.read { $0.isNotifying(path) }
    steps.listen(to: path, isShared: isShared) { [weak self] value in self?.receive(value) }
    do {
      try await steps.startSignals(path, timeout: timing.call)
    } catch {
      throw SensorStreamFault(error)
    }
  }

  /// Ignores all later indications.
  func close() {
    steps.client.listen(to: path, nil)
  }

  /// Disables the indications while the link continues.
  func release() async {
    close()
    _ = await steps.stopSignals(path)
  }

  /// Returns the measurements that the strap supports.
  func features() async throws(SensorStreamFault) -> PolarMeasurementFeatures {
    guard let value = await steps.read(path) else { throw .noResponse }
    do {
      return try PolarMeasurementFeatures.decode(value[...])
    } catch {
      throw .malformed
    }
  }

  /// Writes a request and returns the response, whatever its status. No other request may be pending.
  func request(_ request: PolarControlPointRequest) async throws(SensorStreamFault) -> Answer {
    let (answers, answer) = AsyncStream.makeStream(of: Answer.self)
    state.withLock {
      $0.pending = Pending(assembler: PolarResponseAssembler(request: request), answer: answer)
    }
    defer { state.withLock { $0.pending = nil } }
    do {
      try await steps.write(PolarControlPointRequest.encode(request), to: path, timeout: timing.call)
    } catch {
      throw SensorStreamFault(error)
    }
    let due = steps.time.now().monotonic.advanced(by: timing.response)
    let timer = Task { [time = steps.time] in
      try? await time.sleep(until: due)
      answer.finish()
    }
    defer { timer.cancel() }
    for await answer in answers { return answer }
    throw .noResponse
  }

  // MARK: - Indications

  private func receive(_ value: [UInt8]) {
    // A value that is neither a response nor a notice is ignored, so that the request times out.
    guard let indication = try? PolarControlPointIndication.decode(value[...]) else { return }
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    switch indication {
    case .stopped(let measurements):
      onNotice(Notice(measurements: measurements, bytes: value, number: number))
    case .response(let part): state.withLock { Self.append(part, value, number, &$0.pending) }
    }
  }

  private static func append(
    _ part: PolarControlPointResponse, _ value: [UInt8], _ number: Int, _ pending: inout Pending?,
  ) {
    pending?.parts += 1
    do {
      guard let response = try pending?.assembler.append(part), let parts = pending?.parts else { return }
      let bytes = parts == 1 ? value : PolarControlPointResponse.encode(response)
      pending?.answer.yield(Answer(response: response, bytes: bytes, number: number))
    } catch {
      // More parts than any response has.
      pending?.answer.finish()
    }
  }
}
