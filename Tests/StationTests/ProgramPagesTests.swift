import Testing

@testable import Station

struct ProgramPagesTests {
  private static let smaps = """
    55d0c8a00000-55d0cae00000 r-xp 00000000 fe:00 5342496                    /usr/bin/tachogram
    Size:              36864 kB
    Rss:               24380 kB
    Anonymous:             0 kB
    VmFlags: rd ex mr mw me
    55d0cae00000-55d0cb000000 r--p 02571000 fe:00 5342496                    /usr/bin/a file (deleted)
    Rss:                1112 kB
    Anonymous:          1108 kB
    Swap:                  4 kB
    7fb478000000-7fb478182000 rw-p 00000000 00:00 0 
    Rss:                1316 kB
    Anonymous:          1316 kB
    7ffe0d5c5000-7ffe0d5e6000 rw-p 00000000 00:00 0                          [stack]
    Rss:                  64 kB
    nonsense
    7fb47f9-7fb47f8 r-xp 00026000 fe:00 333151                     /usr/lib/libc.so.6
    Rss:                  64 kB

    """

  @Test func testMappings_AreThoseOfFiles() {
    let mappings = ProgramPages.mappings(Self.smaps)
    #expect(
      mappings == [
        .init(
          range: 0x55d0_c8a0_0000..<0x55d0_cae0_0000, isWritable: false, path: "/usr/bin/tachogram",
          resident: 24_380 * 1024, changed: 0),
        .init(
          range: 0x55d0_cae0_0000..<0x55d0_cb00_0000, isWritable: false, path: "/usr/bin/a file (deleted)",
          resident: 1112 * 1024, changed: 1112 * 1024),
      ])
  }

  /// What runs has pages in memory; they come back as they are used.
  @Test func testPages_AreGivenBackAndTheProgramRunsOn() {
    #expect(ProgramPages.releaseFileBackedPages() > 0)
    #expect(ProgramPages.mappings(Self.smaps).count == 2)
  }
}
