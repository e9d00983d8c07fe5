import Testing

@testable import SnipBrowser

/// What the packages are called, by the names that the distributions gave them.
struct SystemPackagesTests {
  @Test func `on Debian 12 the codecs of HEIC come with libheif`() {
    let packages = SystemPackages(
      osRelease: """
        PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"
        NAME="Debian GNU/Linux"
        VERSION_ID="12"
        VERSION="12 (bookworm)"
        VERSION_CODENAME=bookworm
        ID=debian
        """
    )

    #expect(packages.systemName == "Debian 12")
    #expect(packages.libvips == "libvips42")
    #expect(packages.libav(59) == "libavformat59")
    #expect(packages.heic == "libheif1 and libde265-0")
    #expect(packages.avif == "libheif1 and libaom3")
    #expect(packages.libseccomp == "libseccomp2")
  }

  @Test(arguments: [
    ("ID=debian\nVERSION_ID=\"13\"\n", "Debian 13"),
    // Testing and unstable have no number.
    ("PRETTY_NAME=\"Debian GNU/Linux forky/sid\"\nID=debian\n", "Debian"),
    ("NAME=\"Ubuntu\"\nID=ubuntu\nID_LIKE=debian\nVERSION_ID=\"24.04\"\n", "Ubuntu 24.04"),
    ("ID=ubuntu\nID_LIKE=debian\nVERSION_ID=\"25.10\"\n", "Ubuntu 25.10"),
    (
      "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\nVERSION_ID=\"22\"\nUBUNTU_CODENAME=noble\n",
      "Ubuntu"
    ),
    ("ID=kali\nID_LIKE=debian\nVERSION_ID=\"2025.3\"\n", "Debian"),
  ])
  func `on newer systems they are plugins of their own`(osRelease: String, name: String) {
    let packages = SystemPackages(osRelease: osRelease)

    #expect(packages.systemName == name)
    #expect(packages.libvips == "libvips42t64")
    #expect(packages.libav(61) == "libavformat61")
    #expect(packages.heic == "libheif-plugin-libde265")
    #expect(packages.avif == "libheif-plugin-aomdec or libheif-plugin-dav1d")
  }

  @Test(arguments: [
    ("ID=ubuntu\nVERSION_ID=\"22.04\"\n", "Ubuntu 22.04"),
    ("ID=linuxmint\nID_LIKE=ubuntu\nVERSION_ID=\"21\"\nUBUNTU_CODENAME=jammy\n", "Ubuntu"),
    ("ID=lmde\nID_LIKE=debian\nVERSION_ID=\"6\"\nDEBIAN_CODENAME=bookworm\n", "Debian"),
  ])
  func `older ones are as Debian 12`(osRelease: String, name: String) {
    let packages = SystemPackages(osRelease: osRelease)

    #expect(packages.systemName == name)
    #expect(packages.libvips == "libvips42" && packages.heic == "libheif1 and libde265-0")
  }

  @Test(arguments: ["", "ID=fedora\nVERSION_ID=42\n", "nonsense", "ID", "=\n=="])
  func `elsewhere libraries are named, and no packages`(osRelease: String) {
    let packages = SystemPackages(osRelease: osRelease)

    #expect(packages.systemName.isEmpty)
    #expect(packages.libav(60) == "the release of FFmpeg that has libavformat.so.60")
    #expect(packages.heic == "libheif with libde265")
    #expect(!DecoderAdvice(packages: packages).forBuild.contains("()"))
  }
}
