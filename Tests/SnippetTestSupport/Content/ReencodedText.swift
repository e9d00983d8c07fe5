import Foundation
import Testing

/// A text with its bytes in one encoding, as another program wrote them.
package struct ReencodedText: CustomTestStringConvertible, Sendable {
  /// The name of the encoding.
  package let encoding: String
  /// The distinction of the case.
  package let testDescription: String
  /// The text.
  package let text: String
  /// The bytes.
  package let bytes: [UInt8]

  private init(_ encoding: String, _ language: String, _ text: String, _ base64: String) {
    guard let data = Data(base64Encoded: base64) else { preconditionFailure("Not Base64") }
    self.encoding = encoding
    testDescription = "\(encoding), \(language)"
    self.text = text
    bytes = Array(data)
  }

  // The texts that exist in several encodings.
  private static let arabic = """
    يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم \
    أن يعامل بعضهم بعضا بروح الإخاء.
    """
  private static let signs = "Prost 🍺 und 👋 im Café, sagt 𝒜."
  private static let french = """
    Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils \
    sont doués de raison et de conscience.
    """
  private static let greek = """
    Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα \
    δικαιώματα. Είναι προικισμένοι με λογική και συνείδηση.
    """
  private static let hebrew = """
    כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון.
    """
  private static let japanese = """
    すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられている。
    """
  private static let korean = """
    모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았다.
    """
  private static let polish = """
    Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. \
    Są oni obdarzeni rozumem i sumieniem.
    """
  private static let russian = """
    Все люди рождаются свободными и равными в своём достоинстве и правах. Они \
    наделены разумом и совестью.
    """
  private static let traditionalChinese = """
    人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。這是我們的信念。
    """

  /// At least one text in every encoding.
  package static let all: [ReencodedText] = [
    ReencodedText(
      "utf-8",
      "French",
      french,
      """
      VG91cyBsZXMgw6p0cmVzIGh1bWFpbnMgbmFpc3NlbnQgbGlicmVzIGV0IMOpZ2F1eCBlbiBkaWduaXTDqSBldC\
      BlbiBkcm9pdHMuIElscyBzb250IGRvdcOpcyBkZSByYWlzb24gZXQgZGUgY29uc2NpZW5jZS4=
      """
    ),
    ReencodedText(
      "utf-8",
      "Japanese, marked",
      japanese,
      """
      77u/44GZ44G544Gm44Gu5Lq66ZaT44Gv44CB55Sf44G+44KM44Gq44GM44KJ44Gr44GX44Gm6Ieq55Sx44Gn44\
      GC44KK44CB44GL44Gk44CB5bCK5Y6z44Go5qip5Yip44Go44Gr44Gk44GE44Gm5bmz562J44Gn44GC44KL44CC\
      5Lq66ZaT44Gv44CB55CG5oCn44Go6Imv5b+D44Go44KS5o6I44GR44KJ44KM44Gm44GE44KL44CC
      """
    ),
    ReencodedText(
      "utf-16le",
      "Russian",
      russian,
      """
      EgRBBDUEIAA7BE4ENAQ4BCAAQAQ+BDYENAQwBE4EQgRBBE8EIABBBDIEPgQxBD4ENAQ9BEsEPAQ4BCAAOAQgAE\
      AEMAQyBD0ESwQ8BDgEIAAyBCAAQQQyBD4EUQQ8BCAANAQ+BEEEQgQ+BDgEPQRBBEIEMgQ1BCAAOAQgAD8EQAQw\
      BDIEMARFBC4AIAAeBD0EOAQgAD0EMAQ0BDUEOwQ1BD0ESwQgAEAEMAQ3BEMEPAQ+BDwEIAA4BCAAQQQ+BDIENQ\
      RBBEIETAROBC4A
      """
    ),
    ReencodedText(
      "utf-16be",
      "French",
      french,
      """
      AFQAbwB1AHMAIABsAGUAcwAgAOoAdAByAGUAcwAgAGgAdQBtAGEAaQBuAHMAIABuAGEAaQBzAHMAZQBuAHQAIA\
      BsAGkAYgByAGUAcwAgAGUAdAAgAOkAZwBhAHUAeAAgAGUAbgAgAGQAaQBnAG4AaQB0AOkAIABlAHQAIABlAG4A\
      IABkAHIAbwBpAHQAcwAuACAASQBsAHMAIABzAG8AbgB0ACAAZABvAHUA6QBzACAAZABlACAAcgBhAGkAcwBvAG\
      4AIABlAHQAIABkAGUAIABjAG8AbgBzAGMAaQBlAG4AYwBlAC4=
      """
    ),
    ReencodedText(
      "utf-16le",
      "Chinese",
      """
      人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。这是我们的信念。\n
      """,
      """
      uk66Th91DIDqgTF1DP8oVwpcJU6MVENnKVIKTgBOi19zXkl7AjDWTuxOS40JZwZ0J2CMVG+Cw18M/3ZelF7lTk\
      RRH19zUft8hHa+fF55+Hb5W4VfAjDZjy9mEWLsToR24U/1XwIwCgA=
      """
    ),
    ReencodedText(
      "utf-16be",
      "Japanese",
      """
      すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられている。\n
      """,
      """
      MFkweTBmMG5OupWTMG8wAXUfMH4wjDBqMEwwiTBrMFcwZoHqdTEwZzBCMIowATBLMGQwAVwKU7MwaGopUikwaD\
      BrMGQwRDBmXnN7STBnMEIwizACTrqVkzBvMAF0BmAnMGiCb1/DMGgwkmOIMFEwiTCMMGYwRDCLMAIACg==
      """
    ),
    ReencodedText(
      "utf-16le",
      "Korean, marked",
      korean,
      """
      //6ouuC0IAB4xwSsQMcgANzQtMWgsCAATLWAvTDRIACQxyDHXLiwxnC6IAD4rSAAdMjExfysIACMray50MUgAI\
      jHtMUgANmz8bRY1eSyLgAgAHjHBKxAxyAAnMyAvQHIPMdcuCAAdMcxwfysIACRxezCRMcgAIC97MUbvFjF5LIu\
      AA==
      """
    ),
    ReencodedText(
      "utf-16be",
      "Chinese, marked",
      traditionalChinese,
      """
      /v9Ouk66dR+ADIHqdTH/DFcoXApWtFSMawpSKU4KTgBfi15ze0kwAk7WUBGM5mcJdAZgJ1SMgm9fw/8MTiZhyU\
      7lUURfH5XcT8J2hHy+eV52+FwNX4UwApAZZi9iEVARdoRP4V/1MAI=
      """
    ),
    ReencodedText(
      "utf-32le",
      "Greek, marked",
      greek,
      """
      //4AAIwDAAC7AwAAvwMAALkDAAAgAAAAvwMAALkDAAAgAAAArAMAAL0DAAC4AwAAwQMAAMkDAADAAwAAvwMAAL\
      kDAAAgAAAAswMAALUDAAC9AwAAvQMAALkDAAC/AwAAzQMAAL0DAADEAwAAsQMAALkDAAAgAAAAtQMAALsDAAC1\
      AwAAzQMAALgDAAC1AwAAwQMAAL8DAAC5AwAAIAAAALoDAACxAwAAuQMAACAAAACvAwAAwwMAAL8DAAC5AwAAIA\
      AAAMMDAADEAwAAtwMAAL0DAAAgAAAAsQMAAL4DAAC5AwAAvwMAAMADAADBAwAArQMAAMADAAC1AwAAuQMAALED\
      AAAgAAAAugMAALEDAAC5AwAAIAAAAMQDAACxAwAAIAAAALQDAAC5AwAAugMAALEDAAC5AwAAzgMAALwDAACxAw\
      AAxAMAALEDAAAuAAAAIAAAAJUDAACvAwAAvQMAALEDAAC5AwAAIAAAAMADAADBAwAAvwMAALkDAAC6AwAAuQMA\
      AMMDAAC8AwAArQMAAL0DAAC/AwAAuQMAACAAAAC8AwAAtQMAACAAAAC7AwAAvwMAALMDAAC5AwAAugMAAK4DAA\
      AgAAAAugMAALEDAAC5AwAAIAAAAMMDAADFAwAAvQMAALUDAACvAwAAtAMAALcDAADDAwAAtwMAAC4AAAA=
      """
    ),
    ReencodedText(
      "utf-32be",
      "Hebrew, marked",
      hebrew,
      """
      AAD+/wAABdsAAAXcAAAAIAAABdEAAAXgAAAF2QAAACAAAAXUAAAF0AAABdMAAAXdAAAAIAAABeAAAAXVAAAF3A\
      AABdMAAAXVAAAAIAAABdEAAAXgAAAF2QAAACAAAAXXAAAF1QAABegAAAXZAAAF3wAAACAAAAXVAAAF6QAABdUA\
      AAXVAAAF2QAABd0AAAAgAAAF0QAABeIAAAXoAAAF2wAABd0AAAAgAAAF1QAABdEAAAXWAAAF2wAABdUAAAXZAA\
      AF1QAABeoAAAXZAAAF1AAABd0AAAAuAAAAIAAABdsAAAXVAAAF3AAABd0AAAAgAAAF1wAABdUAAAXgAAAF4AAA\
      BdUAAAAgAAAF0QAABeoAAAXRAAAF1QAABeAAAAXUAAAAIAAABdUAAAXRAAAF3gAABeYAAAXkAAAF1QAABd8AAA\
      Au
      """
    ),
    ReencodedText(
      "iso-2022-jp",
      "Japanese",
      japanese,
      """
      GyRCJDkkWSRGJE4/TTRWJE8hIkA4JF4kbCRKJCwkaSRLJDckRjwrTTMkRyQiJGohIiQrJEQhIkI6ODckSDgiTX\
      gkSCRLJEQkJCRGSj9FeSRHJCIkayEjP000ViRPISJNfUAtJEhOST80JEgkcjx4JDEkaSRsJEYkJCRrISMbKEI=
      """
    ),
    ReencodedText(
      "euc-jp",
      "Japanese",
      japanese,
      """
      pLmk2aTGpM6/zbTWpM+hosC4pN6k7KTKpKyk6aTLpLekxryrzbOkx6SipOqhoqSrpMShosK6uLekyLiizfikyK\
      TLpMSkpKTGyr/F+aTHpKKk66Gjv8201qTPoaLN/cCtpMjOyb+0pMik8rz4pLGk6aTspMakpKTroaM=
      """
    ),
    ReencodedText(
      "shift_jis",
      "Japanese",
      japanese,
      """
      greC14LEgsyQbIrUgs2BQZC2gtyC6oLIgqqC54LJgrWCxI6pl1KCxYKgguiBQYKpgsKBQZG4jLWCxoygl5iCxo\
      LJgsKCooLElb2TmYLFgqCC6YFCkGyK1ILNgUGXnZCrgsaXx5BTgsaC8I72gq+C54LqgsSCooLpgUI=
      """
    ),
    ReencodedText(
      "euc-kr",
      "Korean",
      korean,
      """
      uPC15yDAzrCjwLogxcK+7rOvILanus7FzSDA2sCvt86/7LjnILHXIMG4vvaw+iCxx7iuv6EgwNa+7iC1v7Xux8\
      +02S4gwM6wo8C6IMO1us7A+8C4t84gwMy8urD6IL7nvcnAuyC6zr+pud6+0rTZLg==
      """
    ),
    ReencodedText(
      "gb18030",
      "Chinese",
      """
      人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。这是我们的信念。
      """,
      """
      yMvIy8n6tvjX1NPJo6zU2tfw0c+6zciowPvJz9K7wsnGvbXIoaPL+8PHuLPT0MDt0NS6zcG80MSjrLKi06bS1N\
      DWtdy52M+1tcS+q8nxz+C21LT9oaPV4srHztLDx7XE0MXE7qGj
      """
    ),
    ReencodedText(
      "big5",
      "Chinese",
      traditionalChinese,
      """
      pEikSKXNptOm26XRoUGmYrRMxFmpTcV2p1GkV6RAq9+lrbWloUOlTK3MveGms7J6qcqpTah9pN+hQajDwLOlSK\
      VTp8zD9qtZqrq666+rrNu576vdoUOzb6xPp9qtzKq6q0ipwKFD
      """
    ),
    ReencodedText(
      "windows-1252",
      "French",
      french,
      """
      VG91cyBsZXMg6nRyZXMgaHVtYWlucyBuYWlzc2VudCBsaWJyZXMgZXQg6WdhdXggZW4gZGlnbml06SBldCBlbi\
      Bkcm9pdHMuIElscyBzb250IGRvdelzIGRlIHJhaXNvbiBldCBkZSBjb25zY2llbmNlLg==
      """
    ),
    ReencodedText(
      "windows-1252",
      "English",
      """
      “Naïve” coöperation – at the café – costs €5…
      """,
      """
      k05h73ZllCBjb/ZwZXJhdGlvbiCWIGF0IHRoZSBjYWbpIJYgY29zdHMggDWF
      """
    ),
    ReencodedText(
      "windows-1252",
      "German",
      """
      Alle Menschen sind frei und gleich an Würde und Rechten geboren. © 2024 Müller & \
      Söhne, Straße 5
      """,
      """
      QWxsZSBNZW5zY2hlbiBzaW5kIGZyZWkgdW5kIGdsZWljaCBhbiBX/HJkZSB1bmQgUmVjaHRlbiBnZWJvcmVuLi\
      CpIDIwMjQgTfxsbGVyICYgU/ZobmUsIFN0cmHfZSA1
      """
    ),
    ReencodedText(
      "iso-8859-15",
      "French",
      """
      Prix : 5 € à l'œuvre. Le cœur et la sœur sont déjà à la fenêtre, près de l'été.
      """,
      """
      UHJpeCA6IDUgpCDgIGwnvXV2cmUuIExlIGO9dXIgZXQgbGEgc711ciBzb250IGTpauAg4CBsYSBmZW7qdHJlLCBwcu\
      hzIGRlIGwn6XTpLg==
      """
    ),
    ReencodedText(
      "windows-1250",
      "Czech",
      """
      Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni \
      rozumem a svědomím a mají spolu jednat v duchu bratrství.
      """,
      """
      VpppY2huaSBsaWTpIHJvZO0gc2Ugc3ZvYm9kbu0gYSBzb2LsIHJvdm7tIGNvIGRvIGT5c3Rvam5vc3RpIGEgcH\
      Lhdi4gSnNvdSBuYWThbmkgcm96dW1lbSBhIHN27GRvbe1tIGEgbWFq7SBzcG9sdSBqZWRuYXQgdiBkdWNodSBi\
      cmF0cnN0du0u
      """
    ),
    ReencodedText(
      "windows-1250",
      "Polish",
      polish,
      """
      V3N6eXNjeSBsdWR6aWUgcm9kerkgc2nqIHdvbG5pIGkgcvN3bmkgcG9kIHd6Z2zqZGVtIHN3ZWogZ29kbm+cY2\
      kgaSBzd3ljaCBwcmF3LiBTuSBvbmkgb2JkYXJ6ZW5pIHJvenVtZW0gaSBzdW1pZW5pZW0u
      """
    ),
    ReencodedText(
      "iso-8859-2",
      "Polish",
      polish,
      """
      V3N6eXNjeSBsdWR6aWUgcm9kerEgc2nqIHdvbG5pIGkgcvN3bmkgcG9kIHd6Z2zqZGVtIHN3ZWogZ29kbm+2Y2\
      kgaSBzd3ljaCBwcmF3LiBTsSBvbmkgb2JkYXJ6ZW5pIHJvenVtZW0gaSBzdW1pZW5pZW0u
      """
    ),
    ReencodedText(
      "windows-1254",
      "Turkish",
      """
      Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana \
      sahiptirler ve birbirlerine karşı kardeşlik zihniyeti ile hareket etmelidirler.
      """,
      """
      Qvx0/G4gaW5zYW5sYXIgaPxyLCBoYXlzaXlldCB2ZSBoYWtsYXIgYmFr/W39bmRhbiBl/ml0IGRv8GFybGFyLi\
      BBa/1sIHZlIHZpY2RhbmEgc2FoaXB0aXJsZXIgdmUgYmlyYmlybGVyaW5lIGthcv79IGthcmRl/mxpayB6aWhu\
      aXlldGkgaWxlIGhhcmVrZXQgZXRtZWxpZGlybGVyLg==
      """
    ),
    ReencodedText(
      "windows-1251",
      "Russian",
      russian,
      """
      wvHlIOv+5Ogg8O7m5OD+8vH/IPHi7uHu5O377Ogg6CDw4OLt++zoIOIg8eLuuOwg5O7x8u7o7fHy4uUg6CDv8O\
      Di4PUuIM7t6CDt4OTl6+Xt+yDw4Ofz7O7sIOgg8e7i5fHy/P4u
      """
    ),
    ReencodedText(
      "koi8-r",
      "Russian",
      russian,
      """
      99PFIMzAxMkg0s/WxMHA1NPRINPXz8LPxM7ZzckgySDSwdfO2c3JINcg09fPo80gxM/T1M/JztPU18UgySDQ0s\
      HXwcguIO/OySDOwcTFzMXO2SDSwdrVzc/NIMkg08/XxdPU2MAu
      """
    ),
    ReencodedText(
      "koi8-u",
      "Ukrainian",
      """
      Усі люди народжуються вільними і рівними у своїй гідності та правах. Вони наділені \
      розумом і совістю і повинні діяти у відношенні один до одного в дусі братерства.
      """,
      """
      9dOmIMzAxMkgzsHSz8TW1cDU2NPRINemzNjOyc3JIKYg0qbXzsnNySDVINPXz6fKIMemxM7P09SmINTBINDSwd\
      fByC4g98/OySDOwcSmzMXOpiDSz9rVzc/NIKYg08/XptPUwCCmINDP18nOzqYgxKbR1Mkg1SDXpsTOz9vFzs6m\
      IM/Eyc4gxM8gz8TOz8fPINcgxNXTpiDC0sHUxdLT1NfBLg==
      """
    ),
    ReencodedText(
      "iso-8859-5",
      "Russian",
      russian,
      """
      suHVINvu1Ngg4N7W1NDu4uHvIOHS3tHe1N3r3Ngg2CDg0NLd69zYINIg4dLe8dwg1N7h4t7Y3eHi0tUg2CDf4N\
      DS0OUuIL7d2CDd0NTV29Xd6yDg0Nfj3N7cINgg4d7S1eHi7O4u
      """
    ),
    ReencodedText(
      "ibm866",
      "Russian",
      russian,
      """
      guGlIKvupKgg4K6mpKDu4uHvIOGirqGupK3rrKggqCDgoKKt66yoIKIg4aKu8awgpK7h4q6oreHioqUgqCCv4K\
      CioOUuII6tqCCtoKSlq6Wt6yDgoKfjrK6sIKgg4a6ipeHi7O4u
      """
    ),
    ReencodedText(
      "windows-1253",
      "Greek",
      greek,
      """
      vOvv6SDv6SDc7ejx+fDv6SDj5e3t6e/97fTh6SDl6+X96OXx7+kg6uHpIN/z7+kg8/Tn7SDh7unv8PHd8OXp4S\
      Dq4ekg9OEg5Onq4en+7OH04S4gxd/t4ekg8PHv6erp8+zd7e/pIOzlIOvv4+nq3iDq4ekg8/Xt5d/k5/PnLg==
      """
    ),
    ReencodedText(
      "iso-8859-7",
      "Greek",
      """
      Άνθρωποι: όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και \
      τα δικαιώματα. Είναι προικισμένοι με λογική και συνείδηση.
      """,
      """
      tu3o8fnw7+k6IPzr7+kg7+kg3O3o8fnw7+kg4+Xt7env/e304ekg5evl/ejl8e/pIOrh6SDf8+/pIPP05+0g4e\
      7p7/Dx3fDl6eEg6uHpIPThIOTp6uHp/uzh9OEuIMXf7eHpIPDx7+nq6fPs3e3v6SDs5SDr7+Pp6t4g6uHpIPP1\
      7eXf5Ofz5y4=
      """
    ),
    ReencodedText(
      "windows-1255",
      "Hebrew",
      hebrew,
      """
      6+wg4fDpIOTg4+0g8OXs4+Ug4fDpIOfl+OnvIOX55eXp7SDh8vjr7SDl4ebr5enl+unk7S4g6+Xs7SDn5fDw5S\
      Dh+uHl8OQg5eHu9vTl7y4=
      """
    ),
    ReencodedText(
      "windows-1256",
      "Arabic",
      arabic,
      """
      7ebhzyDM4+3aIMfh5MfTIMPN0cfRxyDjytPH5u3kIN3tIMfh39HH48kg5sfhzd7m3i4g5t7PIOblyObHINre4c\
      cg5tbj7dHHIOba4e3l4yDD5CDt2sfj4SDI2tbl4yDI2tbHIMjR5s0gx+HFzsfBLg==
      """
    ),
    ReencodedText(
      "windows-874",
      "Thai",
      """
      มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม \
      และควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ
      """,
      """
      wbnYycLst9Hpp8vF0sLgodS0wdLB1c3UysPQ4cXQ4MrBzcDSpKHRueO54KHVwsO11MjRobTU7OHF0MrUt7jUIL\
      Xo0qfB1eDLtdi8xeHF0MHiubjDw8Eg4cXQpMfDu6/UutG11LXozaHRubTpx8LgqLW50sPBs+zhy+inwMPStMPA\
      0r4=
      """
    ),
    ReencodedText(
      "ibm857",
      "Turkish",
      """
      Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana \
      sahiptirler.
      """,
      """
      QoF0gW4gaW5zYW5sYXIgaIFyLCBoYXlzaXlldCB2ZSBoYWtsYXIgYmFrjW2NbmRhbiBln2l0IGRvp2FybGFyLi\
      BBa41sIHZlIHZpY2RhbmEgc2FoaXB0aXJsZXIu
      """
    ),
    ReencodedText(
      "ibm862",
      "Hebrew",
      hebrew,
      """
      i4wggZCJIISAg40gkIWMg4UggZCJIIeFmImPIIWZhYWJjSCBkpiLjSCFgYaLhYmFmomEjS4gi4WMjSCHhZCQhS\
      CBmoGFkIQghYGOlpSFjy4=
      """
    ),
    ReencodedText(
      "x-mac-cyrillic",
      "Russian",
      russian,
      """
      gvHlIOv+5Ogg8O7m5OD+8vHfIPHi7uHu5O377Ogg6CDw4OLt++zoIOIg8eLu3uwg5O7x8u7o7fHy4uUg6CDv8O\
      Di4PUuII7t6CDt4OTl6+Xt+yDw4Ofz7O7sIOgg8e7i5fHy/P4u
      """
    ),
    ReencodedText(
      "ibm850",
      "French",
      french,
      """
      VG91cyBsZXMgiHRyZXMgaHVtYWlucyBuYWlzc2VudCBsaWJyZXMgZXQggmdhdXggZW4gZGlnbml0giBldCBlbi\
      Bkcm9pdHMuIElscyBzb250IGRvdYJzIGRlIHJhaXNvbiBldCBkZSBjb25zY2llbmNlLg==
      """
    ),
    ReencodedText(
      "macintosh",
      "French",
      french,
      """
      VG91cyBsZXMgkHRyZXMgaHVtYWlucyBuYWlzc2VudCBsaWJyZXMgZXQgjmdhdXggZW4gZGlnbml0jiBldCBlbi\
      Bkcm9pdHMuIElscyBzb250IGRvdY5zIGRlIHJhaXNvbiBldCBkZSBjb25zY2llbmNlLg==
      """
    ),
    ReencodedText(
      "ibm850",
      "German",
      """
      Überall in Österreich hören wir schöne Lieder über die Bäume. Die Straße führt \
      größtenteils geradeaus.
      """,
      """
      mmJlcmFsbCBpbiCZc3RlcnJlaWNoIGiUcmVuIHdpciBzY2iUbmUgTGllZGVyIIFiZXIgZGllIEKEdW1lLiBEaW\
      UgU3RyYeFlIGaBaHJ0IGdylOF0ZW50ZWlscyBnZXJhZGVhdXMu
      """
    ),
    ReencodedText(
      "ibm850",
      "Spanish",
      """
      Así es la información del país: el niño comió con su mamá en el jardín y después \
      bebió café.
      """,
      """
      QXOhIGVzIGxhIGluZm9ybWFjaaJuIGRlbCBwYaFzOiBlbCBuaaRvIGNvbWmiIGNvbiBzdSBtYW2gIGVuIGVsIG\
      phcmShbiB5IGRlc3B1gnMgYmViaaIgY2Fmgi4=
      """
    ),
    ReencodedText(
      "macintosh",
      "German",
      """
      Überall in Österreich hören wir schöne Lieder über die Bäume. Die Straße führt \
      größtenteils geradeaus.
      """,
      """
      hmJlcmFsbCBpbiCFc3RlcnJlaWNoIGiacmVuIHdpciBzY2iabmUgTGllZGVyIJ9iZXIgZGllIEKKdW1lLiBEaW\
      UgU3RyYadlIGafaHJ0IGdymqd0ZW50ZWlscyBnZXJhZGVhdXMu
      """
    ),
    ReencodedText(
      "macintosh",
      "Spanish",
      """
      Así es la información del país: el niño comió con su mamá en el jardín y después \
      bebió café.
      """,
      """
      QXOSIGVzIGxhIGluZm9ybWFjaZduIGRlbCBwYZJzOiBlbCBuaZZvIGNvbWmXIGNvbiBzdSBtYW2HIGVuIGVsIG\
      phcmSSbiB5IGRlc3B1jnMgYmViaZcgY2Fmji4=
      """
    ),
    ReencodedText(
      "utf-32le",
      "German",
      """
      Überall in Österreich hören wir schöne Lieder über die Bäume. Die Straße führt \
      größtenteils geradeaus.
      """,
      """
      3AAAAGIAAABlAAAAcgAAAGEAAABsAAAAbAAAACAAAABpAAAAbgAAACAAAADWAAAAcwAAAHQAAABlAAAAcgAAAH\
      IAAABlAAAAaQAAAGMAAABoAAAAIAAAAGgAAAD2AAAAcgAAAGUAAABuAAAAIAAAAHcAAABpAAAAcgAAACAAAABz\
      AAAAYwAAAGgAAAD2AAAAbgAAAGUAAAAgAAAATAAAAGkAAABlAAAAZAAAAGUAAAByAAAAIAAAAPwAAABiAAAAZQ\
      AAAHIAAAAgAAAAZAAAAGkAAABlAAAAIAAAAEIAAADkAAAAdQAAAG0AAABlAAAALgAAACAAAABEAAAAaQAAAGUA\
      AAAgAAAAUwAAAHQAAAByAAAAYQAAAN8AAABlAAAAIAAAAGYAAAD8AAAAaAAAAHIAAAB0AAAAIAAAAGcAAAByAA\
      AA9gAAAN8AAAB0AAAAZQAAAG4AAAB0AAAAZQAAAGkAAABsAAAAcwAAACAAAABnAAAAZQAAAHIAAABhAAAAZAAA\
      AGUAAABhAAAAdQAAAHMAAAAuAAAA
      """
    ),
    ReencodedText(
      "utf-32be",
      "German",
      """
      Überall in Österreich hören wir schöne Lieder über die Bäume. Die Straße führt \
      größtenteils geradeaus.
      """,
      """
      AAAA3AAAAGIAAABlAAAAcgAAAGEAAABsAAAAbAAAACAAAABpAAAAbgAAACAAAADWAAAAcwAAAHQAAABlAAAAcg\
      AAAHIAAABlAAAAaQAAAGMAAABoAAAAIAAAAGgAAAD2AAAAcgAAAGUAAABuAAAAIAAAAHcAAABpAAAAcgAAACAA\
      AABzAAAAYwAAAGgAAAD2AAAAbgAAAGUAAAAgAAAATAAAAGkAAABlAAAAZAAAAGUAAAByAAAAIAAAAPwAAABiAA\
      AAZQAAAHIAAAAgAAAAZAAAAGkAAABlAAAAIAAAAEIAAADkAAAAdQAAAG0AAABlAAAALgAAACAAAABEAAAAaQAA\
      AGUAAAAgAAAAUwAAAHQAAAByAAAAYQAAAN8AAABlAAAAIAAAAGYAAAD8AAAAaAAAAHIAAAB0AAAAIAAAAGcAAA\
      ByAAAA9gAAAN8AAAB0AAAAZQAAAG4AAAB0AAAAZQAAAGkAAABsAAAAcwAAACAAAABnAAAAZQAAAHIAAABhAAAA\
      ZAAAAGUAAABhAAAAdQAAAHMAAAAu
      """
    ),
    ReencodedText(
      "cesu-8",
      "German with signs",
      signs,
      """
      UHJvc3Qg7aC87b26IHVuZCDtoL3tsYsgaW0gQ2Fmw6ksIHNhZ3Qg7aC17bKcLg==
      """
    ),
  ]
}
