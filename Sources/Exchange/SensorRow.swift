import Presentation
import TachogramCore

/// What a strap sent beside its heart rate, in the JSON export. Bytes are hexadecimal digits; a row has a frame, the start of a
/// stream with its request and response, or the strap's notice that it ended streams.
struct SensorRow: Codable {
  let sequence: Int64
  let link: Int
  let monotonicUs: Int64
  let wallUs: Int64
  var frame: String?
  var request: String?
  var response: String?
  var stopped: String?

  init(_ entry: SensorEntry) {
    sequence = entry.sequence
    link = entry.link
    monotonicUs = entry.monotonic.microseconds
    wallUs = entry.wall.microseconds
    switch entry.content {
    case .frame(let bytes): frame = Hexadecimal.text(bytes)
    case .stopped(let bytes): stopped = Hexadecimal.text(bytes)
    case .started(let request, let response):
      (self.request, self.response) = (Hexadecimal.text(request), Hexadecimal.text(response))
    }
  }

  /// Returns the entry, or `nil` if a value is invalid.
  var entry: SensorEntry? {
    guard monotonicUs.magnitude < SessionArchive.latest, wallUs.magnitude < SessionArchive.latest, let content else {
      return nil
    }
    return SensorEntry(
      sequence: sequence, link: link, monotonic: MonotonicTime(microseconds: monotonicUs),
      wall: WallTime(microseconds: wallUs), content: content)
  }

  private var content: SensorEntry.Content? {
    func bytes(_ text: String?) -> [UInt8]? { text.flatMap(Hexadecimal.bytes) }
    switch (frame, stopped, request) {
    case (.some, nil, nil): return bytes(frame).map { .frame($0) }
    case (nil, .some, nil): return bytes(stopped).map { .stopped($0) }
    case (nil, nil, .some):
      // A request is shorter than 256 bytes, as stored.
      guard let request = bytes(request), request.count < 256, let response = bytes(response) else { return nil }
      return .started(request: request, response: response)
    default: return nil
    }
  }
}
