/// A whole L2CAP PDU (Core Specification 5.4, Vol 3, Part A, 3.1).
struct L2CAPFrame {
  let channel: UInt16
  /// Where its payload stands: in the fragment that was given last, or in `reassembled` where it took several.
  let payload: Range<Int>
  var reassembled: [UInt8]?
}
