import CFileSystem

/// The pseudo file systems of the kernel. `stat` reports their files as regular, but they store nothing. Reading one may block
/// indefinitely and may have side effects: reading `zram-control/hot_add` creates a device.
package enum KernelFileSystem {
  /// The numbers from statfs(2), or from the source of the kernel if linux/magic.h lacks them.
  private static let types: Set<UInt32> = [
    0x9fa0,  // proc
    0x6265_6572,  // sysfs
    0x6462_6720,  // debugfs
    0x7472_6163,  // tracefs
    0x0027_e0eb,  // cgroup, cpuset
    0x6367_7270,  // cgroup2
    0x7363_6673,  // securityfs
    0x6265_6570,  // configfs
    0xcafe_4a11,  // bpf
    0x6165_676c,  // pstore
    0xde5e_81e4,  // efivarfs
    0x1cd1,  // devpts
    0x4249_4e4d,  // binfmt_misc
    0xf97c_ff8c,  // selinuxfs
    0x4341_5d53,  // smackfs
    0x5a3c_69f0,  // apparmorfs
    0x6573_5543,  // fusectl
    0x6759_6969,  // rpc_pipefs
    0x6e66_7364,  // nfsd
    0x6e73_6673,  // nsfs
    0x0765_5821,  // resctrl
    0xabba_1974,  // xenfs
    0x9fa1,  // openpromfs
  ]

  /// Returns whether the file or folder at a path is in such a file system. Follows links, including those in `/proc/self/fd`.
  /// Opens nothing.
  package static func holds(_ path: UnsafePointer<CChar>) -> Bool { types.contains(cfilesystem_type(path)) }

  /// Returns whether an open file is in such a file system.
  package static func holds(descriptor: Int32) -> Bool { types.contains(cfilesystem_type_of(descriptor)) }
}
