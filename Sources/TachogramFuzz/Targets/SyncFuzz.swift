import Sync
import TachogramCore

/// What stations read from a store, and a sync server from its clients: it is decoded or refused, and what is decoded has one
/// encoded form. The first byte of the input is the form, the rest is its bytes or its text.
enum SyncFuzz {
  /// The forms, by their place.
  enum Form: UInt8, CaseIterable {
    case chunk, edits, ledger, measurements, night, envelope, memberRecord, batch, results, objects, route, lines,
      invitation, words, logState, ranges
  }

  static let digest = ContentDigest(of: [7])
  static let space = SpaceID(digest: digest)
  static let station = StationID(digest: digest)
  static let log = StoreLog(space: space, station: station, kind: .chunks)

  static func run(_ bytes: [UInt8]) throws -> Bool {
    guard let first = bytes.first, let form = Form(rawValue: first) else { return false }
    let rest = Array(bytes.dropFirst())
    let text = String(decoding: rest, as: UTF8.self)
    switch form {
    case .chunk: return try same(rest, form) { try Chunk(bytes: $0).encoded }
    case .edits:
      return try stable(rest, form) { try EditChunkCodec.encode(EditChunkCodec.decode($0, author: station)) }
    // Compressed here, because random bytes are hardly ever a stream of zlib.
    case .ledger: return try stable(compressed(rest), form) { try LedgerChunkCodec.encode(LedgerChunkCodec.decode($0)) }
    case .measurements:
      return try stable(compressed(rest), form) { try MeasurementChunkCodec.encode(MeasurementChunkCodec.decode($0)) }
    case .night: return try stable(compressed(rest), form) { try NightChunkCodec.encode(NightChunkCodec.decode($0)) }
    case .envelope: return try same(rest, form) { try Envelope(bytes: $0).bytes }
    case .memberRecord: return try same(rest, form) { try MemberRecord(bytes: $0).bytes }
    case .batch: return try same(rest, form) { StoreMessage.batch(try StoreMessage.batch($0, of: space)) }
    case .results: return try same(rest, form) { StoreMessage.results(try StoreMessage.results($0)) }
    case .objects: return try same(rest, form) { StoreMessage.objects(try StoreMessage.objects($0, in: 1...1000)) }
    case .route: return try stable(text, form) { StoreRoute(path: $0)?.path }
    case .lines: return try lines(text)
    case .invitation: return try stable(text, form) { Invitation(text: $0)?.text }
    case .words:
      return try stable(text, form) { text in
        (try? RecoveryWords.key(text)).map { RecoveryWords.words($0).joined(separator: " ") }
      }
    case .logState: return try stable(rest, form) { try LogState(bytes: $0, station: station).bytes }
    case .ranges: return try stable(text, form) { SequenceRanges(text: $0)?.text }
    }
  }

  private static func compressed(_ bytes: [UInt8]) -> [UInt8] { Deflate.compressed([bytes]) ?? [] }

  private static func lines(_ text: String) throws -> Bool {
    let read: [(String) -> String?] = [
      { StoreLines.spaces($0).map { StoreLines.text(spaces: $0) } },
      { StoreLines.logs($0, of: space).map { StoreLines.text(logs: $0) } },
      { StoreLines.listing($0).map { StoreLines.text(listing: $0) } },
      { StoreLines.changes($0, of: space).map { StoreLines.text(changes: $0) } },
    ]
    return try read.map { try stable(text, .lines, $0) }.contains(true)
  }

  /// Decodes bytes that have exactly one form.
  private static func same(_ bytes: [UInt8], _ form: Form, _ read: ([UInt8]) throws -> [UInt8]) throws -> Bool {
    guard let again = try? read(bytes) else { return false }
    try FuzzFinding.unless(again == bytes, "\(form): the bytes are not those that it encodes")
    return true
  }

  /// Decodes what may be written in several ways, and decodes what that is encoded to.
  private static func stable<Value: Equatable>(
    _ value: Value, _ form: Form, _ read: (Value) throws -> Value?
  ) throws -> Bool {
    guard let first = try? read(value) else { return false }
    let second = try? read(first)
    try FuzzFinding.unless(second == first, "\(form): what it encodes is not decoded to the same")
    return true
  }
}
