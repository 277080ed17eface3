#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An error that prevents a capture from being used at all. Damage that leaves usable parts is not an error; see
/// `CaptureDamage`.
package enum CaptureError: Error, Hashable, Sendable {
  /// The file cannot be opened or read; `code` is the `errno`.
  case unreadable(path: String, code: Int32)
  /// The path names a directory.
  case isDirectory(path: String)
  /// The path names a device or a socket.
  case notAFile(path: String, kind: InputKind)
  /// The file is in a file system that the kernel generates, such as /proc or /sys, or has the size 0 and yet contains data. It
  /// may be endless, and reading it may have side effects.
  case madeByKernel(path: String)
  /// A pipe whose data has to be stored delivered more than `limit` bytes.
  case tooLong(path: String, limit: UInt64)
  /// The data of a pipe cannot be stored for the second pass; `code` is the `errno`.
  case notSpooled(path: String, code: Int32)
  /// The file has no bytes.
  case empty(path: String)
  /// The first bytes do not belong to a supported format.
  case unknownFormat(path: String, firstBytes: [UInt8])
  /// The format is known, but its header is incomplete or unsupported.
  case badHeader(path: String, format: CaptureFormat, problem: String)
  /// All records have an unsupported link type.
  case unsupportedLinkType(path: String, linkType: UInt32)
  /// The capture was read, but it contains no heart-rate data.
  case noHeartRate(path: String, why: HeartRateAbsence, summary: CaptureSummary? = nil)
}

extension CaptureError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreadable(let path, let code):
      "\(path): cannot be read: \(String(cString: strerror(code))); check the name and that you may read it"
    case .isDirectory(let path):
      "\(path): is a folder; name a file in it"
    case .notAFile(let path, let kind):
      "\(path): is a \(kind.rawValue), which is not read; name a file or a pipe, or - for standard input"
    case .madeByKernel(let path):
      "\(path): is not an ordinary file: the kernel generates it while it is read; copy its contents to a file first"
    case .tooLong(let path, let limit):
      "\(path): more than \(limit >> 20) MiB came through the pipe; write it to a file first"
    case .notSpooled(let path, let code):
      "\(path): what comes through the pipe cannot be kept until it is read again: \(String(cString: strerror(code))); "
        + "write it to a file, or name another folder with TMPDIR"
    case .empty(let path):
      "\(path): is empty; the capture was never written"
    case .unknownFormat(let path, let firstBytes):
      "\(path): not a capture (it begins with \(hexadecimal(firstBytes))); "
        + "btsnoop, pcap, pcapng and PacketLogger are read"
    case .badHeader(let path, let format, let problem):
      "\(path): the \(format.rawValue) header is damaged (\(problem)); nothing can be read"
    case .unsupportedLinkType(let path, let linkType):
      "\(path): link type \(linkType) is not read; capture as HCI (187, 201), Linux monitor (254), "
        + "LE link layer (251, 256) or nRF sniffer (272)"
    case .noHeartRate(let path, let why, let summary):
      "\(path): no heart-rate data: \(why)" + (summary?.damageNote ?? "")
    }
  }
}

/// Returns bytes as hexadecimal digits, separated by spaces.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
}
