#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Why a capture gives nothing at all. Damage that leaves something to use is not an error; see `CaptureDamage`.
package enum CaptureError: Error, Hashable, Sendable {
  /// The file cannot be opened or read; `code` is the `errno`.
  case unreadable(path: String, code: Int32)
  /// The path names a directory.
  case isDirectory(path: String)
  /// The path names a device or a socket.
  case notAFile(path: String, kind: InputKind)
  /// The file is of a file system that the kernel makes up, as /proc and /sys are, or says that it is empty and holds something
  /// all the same; it may have no end, and reading it may do something.
  case madeByKernel(path: String)
  /// More than `limit` bytes came through a pipe of which everything has to be kept.
  case tooLong(path: String, limit: UInt64)
  /// What comes through a pipe cannot be kept until it is read again; `code` is the `errno`.
  case notSpooled(path: String, code: Int32)
  /// The file has no bytes.
  case empty(path: String)
  /// The first bytes belong to no format that is read.
  case unknownFormat(path: String, firstBytes: [UInt8])
  /// The format is known, but its header is cut off or says something that is not supported.
  case badHeader(path: String, format: CaptureFormat, problem: String)
  /// Every record is of a link type that is not read.
  case unsupportedLinkType(path: String, linkType: UInt32)
  /// The capture was read, and there is no heart-rate data in it.
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
      "\(path): is no ordinary file: the kernel makes it up while it is read; copy what is wanted of it to a file first"
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

/// Bytes as spaced hexadecimal digits.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
}
