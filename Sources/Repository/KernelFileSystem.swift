import FoundationEssentials
import Glibc

/// The file systems that the kernel makes up: their files are regular ones to `stat`, and keep nothing.
enum KernelFileSystem {
  private static let types: Set<Substring> = [
    "proc", "sysfs", "cgroup", "cgroup2", "debugfs", "tracefs", "securityfs", "configfs", "bpf", "efivarfs", "pstore",
    "binfmt_misc", "selinuxfs", "fusectl",
  ]

  /// Whether what is at a path, through links, is a file of such a one.
  static func holds(_ path: String) -> Bool {
    var (status, space) = (stat(), statvfs())
    // None of them has a size, so that the list of all is seldom read.
    guard stat(path, &status) == 0, statvfs(path, &space) == 0, space.f_blocks == 0,
      let list = FileManager.default.contents(atPath: "/proc/self/mountinfo")
    else { return false }
    let device = UInt64(status.st_dev)
    let major = (device >> 8) & 0xfff | (device >> 32) & ~0xfff
    let minor = device & 0xff | (device >> 12) & ~0xff
    return String(decoding: list, as: UTF8.self).split(separator: "\n").contains { line in
      // Numbers of the mount and of its parent, the device, …, a hyphen, the type (proc_pid_mountinfo(5)).
      let fields = line.split(separator: " ")
      guard fields.count > 2, fields[2] == "\(major):\(minor)", let hyphen = fields.lastIndex(of: "-") else {
        return false
      }
      return fields[hyphen...].dropFirst().first.map(types.contains) ?? false
    }
  }
}
