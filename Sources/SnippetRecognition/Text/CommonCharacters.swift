/// The characters that make up about half of any text in an East Asian language.
///
/// A text read in the wrong encoding consists of characters from all over the dictionary.
enum CommonCharacters {
  /// Returns the characters of an encoding's language; none for encodings of other languages.
  static func characters(of encoding: TextEncoding) -> Set<Unicode.Scalar> {
    switch encoding {
    case .eucJP, .shiftJIS, .iso2022JP: japanese
    case .eucKR: korean
    case .gb18030: simplifiedChinese
    case .big5: traditionalChinese
    default: []
    }
  }

  /// The characters of all four languages together.
  static let eastAsian = japanese.union(korean).union(simplifiedChinese).union(traditionalChinese)

  private static let punctuation = Set("、。，．：；！？（）「」『』《》“”—…".unicodeScalars)

  private static let japanese =
    punctuation
    .union((0x3041...0x3093).compactMap(Unicode.Scalar.init))
    .union((0x30A1...0x30F6).compactMap(Unicode.Scalar.init))
    .union(
      """
      ー・日本語一国人年大十二中長出三時行見月分後前生五間上東四今金入学高円子外下来気小山話女\
      書先名水文字白手力目自事者会社的地方同場合部動作用意使理対体定性全要表示発現実変化数新問\
      業当関
      """.unicodeScalars
    )

  private static let korean = punctuation.union(
    """
    이다는에의을를은가고하한로지기사어나아니있그자도것리서들해인수일만시으게대여과라정스전부보\
    원구상제했주적면없와소공장동안생선신우무조성거유오세모경던마내까중회문치실발말비계되된야간\
    번관속또미방러트때진당연불화같더않음할려물파단개위용입습합명름식데분행재통법력바타호드국학
    """.unicodeScalars
  )

  private static let simplifiedChinese = punctuation.union(
    """
    的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年\
    过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心\
    她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间\
    由问很最重并物手应向头文体
    """.unicodeScalars
  )

  /// The last few are those of Cantonese.
  private static let traditionalChinese = punctuation.union(
    """
    的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年\
    過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心\
    她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間\
    由問很最重並物手應向頭文體嘅哋喺咗嚟唔佢嘢冇係啲
    """.unicodeScalars
  )
}
