import TachogramCore

/// Encodes and decodes the properties of a session and its links.
enum SessionDescriptionCodec {
  /// The number of a link is at most this.
  private static let mostLinkNumber = Int(Int32.max)

  static func write(_ session: SessionDescription, to writer: inout ByteWriter) throws(ChunkFailure) {
    let texts = [session.id, session.person, session.label, session.madeFrom, session.deviceID]
    guard texts.allSatisfy({ ($0?.utf8.count ?? 0) <= LedgerChunkLimits.text }) else {
      throw .tooLarge(field: "text", limit: LedgerChunkLimits.text)
    }
    let characteristics = session.strap.characteristics.sorted { $0.key < $1.key }
    guard characteristics.count <= LedgerChunkLimits.characteristics else {
      throw .tooLarge(field: "characteristics", limit: LedgerChunkLimits.characteristics)
    }
    guard characteristics.allSatisfy({ $0.value.count <= LedgerChunkLimits.value }) else {
      throw .tooLarge(field: "characteristic", limit: LedgerChunkLimits.value)
    }
    writer.write(text: session.id)
    writer.write(session.strap.address.littleEndianBytes)
    writer.write(byte: session.strap.address.kind.rawValue)
    writer.write(count: characteristics.count)
    for (uuid, value) in characteristics {
      writer.write(integer: uuid)
      writer.write(counted: value)
    }
    writer.write(flag: session.origin == .replay)
    for text in texts.dropFirst() { writer.write(optionalText: text) }
    writer.write(signed: session.start.microseconds)
    writer.write(signed: session.monotonicStart.microseconds)
  }

  static func read(_ reader: inout ByteReader) throws(FormatFailure) -> SessionDescription {
    let id = try reader.readText("session", limit: LedgerChunkLimits.text)
    let address = try reader.read(6, "strap address")
    let kindStart = reader.failure("strap address kind", .invalidValue)
    guard let kind = BluetoothAddress.Kind(rawValue: try reader.readByte("strap address kind")),
      let strap = BluetoothAddress(littleEndian: address, kind: kind)
    else { throw kindStart }
    var characteristics: [UInt16: [UInt8]] = [:]
    var last: UInt16?
    for _ in 0..<(try reader.readCount("characteristics", limit: LedgerChunkLimits.characteristics)) {
      let start = reader.failure("characteristic", .invalidValue)
      let uuid = try reader.readInteger(UInt16.self, "characteristic")
      if let last, last >= uuid { throw start }
      last = uuid
      characteristics[uuid] = try reader.readBytes("characteristic", limit: LedgerChunkLimits.value)
    }
    let isReplay = try reader.readFlag("origin")
    let limit = LedgerChunkLimits.text
    let person = try reader.readOptionalText("person", limit: limit)
    let label = try reader.readOptionalText("label", limit: limit)
    let madeFrom = try reader.readOptionalText("made from", limit: limit)
    let deviceID = try reader.readOptionalText("device", limit: limit)
    return SessionDescription(
      id: id, strap: StrapIdentity(address: strap, characteristics: characteristics),
      origin: isReplay ? .replay : .live, person: person, label: label, madeFrom: madeFrom, deviceID: deviceID,
      start: WallTime(microseconds: try reader.readSigned("start")),
      monotonicStart: MonotonicTime(microseconds: try reader.readSigned("monotonic start")))
  }

  // MARK: - Links

  static func write(_ links: [StrapLink], to writer: inout ByteWriter) throws(ChunkFailure) {
    guard links.count <= LedgerChunkLimits.links else {
      throw .tooLarge(field: "links", limit: LedgerChunkLimits.links)
    }
    guard links.allSatisfy({ ($0.bootID?.utf8.count ?? 0) <= LedgerChunkLimits.text }) else {
      throw .tooLarge(field: "text", limit: LedgerChunkLimits.text)
    }
    guard links.allSatisfy({ (0...mostLinkNumber).contains($0.number) }) else {
      throw .tooLarge(field: "link number", limit: mostLinkNumber)
    }
    writer.write(count: links.count)
    for link in links {
      writer.write(count: link.number)
      writer.write(optionalText: link.bootID)
      writer.write(integer: link.handle)
      writer.write(byte: number(of: link.handleSource))
    }
  }

  static func readLinks(_ reader: inout ByteReader) throws(FormatFailure) -> [StrapLink] {
    var links: [StrapLink] = []
    for _ in 0..<(try reader.readCount("links", limit: LedgerChunkLimits.links)) {
      let number = try reader.readCount("link number", limit: mostLinkNumber)
      let boot = try reader.readOptionalText("boot", limit: LedgerChunkLimits.text)
      let handle = try reader.readInteger(UInt16.self, "handle")
      let start = reader.failure("handle source", .invalidValue)
      let source = try reader.readByte("handle source")
      guard let source = HandleSource.allCases.first(where: { Self.number(of: $0) == source }) else { throw start }
      links.append(StrapLink(number: number, bootID: boot, handle: handle, handleSource: source))
    }
    return links
  }

  private static func number(of source: HandleSource) -> UInt8 {
    switch source {
    case .discovered: 0
    case .inherited: 1
    case .inferred: 2
    case .given: 3
    }
  }
}
