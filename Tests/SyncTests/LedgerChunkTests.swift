import CZlib
import TachogramCore
import Testing

@testable import Sync

@Suite("Ledger chunks")
struct LedgerChunkTests {
  @Test func testChunk_OfAnHour_IsExactAndSmall() throws {
    let chunk = SimulatedLedger().chunk()
    let bytes = try LedgerChunkCodec.encode(chunk)
    #expect(try LedgerChunkCodec.decode(bytes) == chunk)
    #expect(Double(bytes.count) / 3600 < 3.2)
  }

  @Test func testChunk_OfFiveMinutes_IsExactAndSmall() throws {
    let chunk = SimulatedLedger(duration: 300).chunk()
    let bytes = try LedgerChunkCodec.encode(chunk)
    #expect(try LedgerChunkCodec.decode(bytes) == chunk)
    #expect(Double(bytes.count) / 300 < 4.2)
  }

  @Test func testChunk_IsReadableByZlib() throws {
    let bytes = try LedgerChunkCodec.encode(SimulatedLedger(duration: 600).chunk())
    var output = [UInt8](repeating: 0, count: 1 << 20)
    var count = UInt(output.count)
    #expect(uncompress(&output, &count, bytes, UInt(bytes.count)) == Z_OK)
    #expect(output[..<Int(count)].contains(93))
  }

  @Test func testChunk_WithAnyEntries_IsExact() throws {
    var random = TestRandom(seed: 3)
    for round in 0..<300 {
      var chunk = SimulatedLedger(duration: 1).chunk()
      let extreme = [Int64.min, .max, 0, -1, 1]
      func number() -> Int64 {
        Bool.random(using: &random) ? extreme.randomElement(using: &random) ?? 0 : Int64(bitPattern: random.next())
      }
      chunk.entries = (0..<(round % 40)).map { _ in
        let value = random.bytes(Int.random(in: 0...20, using: &random))
        let content: LedgerEntry.Content =
          switch Int.random(in: 0..<3, using: &random) {
          case 0: .notification(value)
          case 1: .linkDown(reason: UInt8.random(in: 0...255, using: &random))
          default: .pulseIntervals(value)
          }
        return LedgerEntry(
          sequence: number(), link: Int(number()), monotonic: MonotonicTime(microseconds: number()),
          wall: WallTime(microseconds: number()), content: content)
      }
      chunk.session.label = round % 2 == 0 ? "Nacht ü" : nil
      chunk.session.origin = round % 3 == 0 ? .replay : .live
      chunk.links = HandleSource.allCases.enumerated().map {
        StrapLink(number: $0.offset, bootID: $0.offset == 1 ? "b" : nil, handle: 7, handleSource: $0.element)
      }
      #expect(try LedgerChunkCodec.decode(LedgerChunkCodec.encode(chunk)) == chunk)
    }
  }

  @Test func testEnvelopeOfAnHour_AddsAtMost15Percent() throws {
    let payload = try LedgerChunkCodec.encode(SimulatedLedger().chunk())
    let heads = (0..<3 as Range<UInt8>).map {
      LogHead(station: StationID(digest: ContentDigest(of: [$0])), sequence: 1000, digest: .zero)
    }
    let chunk = Chunk(
      kind: .ledger, sealed: WallTime(microseconds: 1_774_746_000_000_000), heads: heads, memberHeads: [.zero],
      payload: payload)
    var writer = LogWriter(space: SpaceID(digest: .zero), head: nil)
    let envelope = try writer.append(chunk, to: EpochKey(epoch: 1).publicKey, by: StationKeys())
    #expect(Double(envelope.bytes.count) <= 1.15 * Double(payload.count))
  }

  // MARK: - Hostile input

  @Test func testDecode_OfMutatedBytes_NeverTraps() throws {
    var random = TestRandom(seed: 4)
    let bytes = try LedgerChunkCodec.encode(SimulatedLedger(duration: 60).chunk())
    for _ in 0..<10_000 { _ = try? LedgerChunkCodec.decode(random.mutated(bytes)) }
    // The checksum of zlib stops most of those; the following ones are compressed again.
    let content = try Deflate.expanded(bytes, limit: 1 << 20, field: "ledger")
    for _ in 0..<10_000 {
      let compressed = try #require(Deflate.compressed([random.mutated(content)]))
      guard let chunk = try? LedgerChunkCodec.decode(compressed) else { continue }
      #expect(try LedgerChunkCodec.decode(LedgerChunkCodec.encode(chunk)) == chunk)
    }
  }

  @Test func testDecode_OfBomb_IsRefused() throws {
    let bomb = try #require(Deflate.compressed([[UInt8](repeating: 0, count: 64 << 20)]))
    #expect(bomb.count < 100_000)
    #expect(
      throws: FormatFailure(field: "ledger", offset: 0, reason: .tooLarge(limit: LedgerChunkLimits.expanded))
    ) { try LedgerChunkCodec.decode(bomb) }
  }

  @Test func testDecode_OfCutOrLongerStream_IsRefused() throws {
    let bytes = try LedgerChunkCodec.encode(SimulatedLedger(duration: 5).chunk())
    for count in bytes.indices {
      #expect(throws: FormatFailure(field: "ledger", offset: 0, reason: .notCompressed)) {
        try LedgerChunkCodec.decode(Array(bytes[..<count]))
      }
    }
    #expect(throws: FormatFailure(field: "ledger", offset: bytes.count, reason: .trailingBytes(1))) {
      try LedgerChunkCodec.decode(bytes + [0])
    }
  }

  @Test func testDecode_OfLongerValue_IsRefused() throws {
    var chunk = SimulatedLedger(duration: 1).chunk()
    chunk.entries[0].content = .notification([UInt8](repeating: 1, count: 512))
    let bytes = try LedgerChunkCodec.encode(chunk)
    #expect(try LedgerChunkCodec.decode(bytes) == chunk)
    var content = try Deflate.expanded(bytes, limit: 1 << 20, field: "ledger")
    // The length 512 as a varint becomes 513, which has a last byte.
    let place = try #require(content.firstRange(of: [0x80, 0x04])).lowerBound
    content[place] = 0x81
    let longer = try #require(Deflate.compressed([content + [1]]))
    #expect(throws: FormatFailure(field: "value lengths", offset: place, reason: .tooLarge(limit: 512))) {
      try LedgerChunkCodec.decode(longer)
    }
  }

  @Test func testEncode_BeyondLimits_IsRefused() throws {
    var chunk = SimulatedLedger(duration: 1).chunk()
    chunk.entries[0].content = .notification([UInt8](repeating: 0, count: 513))
    #expect(throws: ChunkFailure.tooLarge(field: "value", limit: 512)) { try LedgerChunkCodec.encode(chunk) }
    chunk = SimulatedLedger(duration: 1).chunk()
    chunk.entries = Array(repeating: chunk.entries[0], count: 65_537)
    #expect(throws: ChunkFailure.tooLarge(field: "entries", limit: 65_536)) { try LedgerChunkCodec.encode(chunk) }
    chunk = SimulatedLedger(duration: 1).chunk()
    chunk.session.label = String(repeating: "x", count: 1025)
    #expect(throws: ChunkFailure.tooLarge(field: "text", limit: 1024)) { try LedgerChunkCodec.encode(chunk) }
  }

  // MARK: - Content of envelopes

  @Test func testChunk_OfUnknownKind_KeepsItsPayload() throws {
    let heads = [3, 1, 2].map {
      LogHead(station: StationID(digest: ContentDigest(of: [$0])), sequence: UInt64($0), digest: ContentDigest(of: []))
    }
    for number in UInt8.min...UInt8.max {
      let chunk = Chunk(
        kind: ChunkKind(number: number), sealed: WallTime(microseconds: -5), heads: heads, payload: [9, number])
      #expect(try Chunk(bytes: chunk.encoded) == chunk)
      #expect(chunk.kind.number == number)
    }
  }

  @Test func testChunk_RandomMutations_NeverTrap() throws {
    var random = TestRandom(seed: 5)
    let head = LogHead(station: StationID(digest: .zero), sequence: 1, digest: .zero)
    let bytes = Chunk(kind: .edit, sealed: WallTime(microseconds: 1), heads: [head], payload: [1, 2]).encoded
    for _ in 0..<20_000 {
      let mutated = random.mutated(bytes)
      guard let chunk = try? Chunk(bytes: mutated) else { continue }
      #expect(chunk.encoded == mutated)
    }
  }
}
