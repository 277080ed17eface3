/// A complete L2CAP PDU (Core Specification 5.4, Vol 3, Part A, 3.1).
struct L2CAPFrame {
  let channel: UInt16
  /// The range of the payload: in the last fragment, or in `reassembled` if the PDU had several fragments.
  let payload: Range<Int>
  var reassembled: [UInt8]?
}
