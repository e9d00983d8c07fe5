public import SnippetLoading
public import SnippetStorage

extension SnippetLoader {
  /// Makes a loader of a list with thumbnails of images, waveforms of recordings and beginnings of
  /// texts.
  ///
  /// Each is made once and stored.
  ///
  /// - Parameters:
  ///   - list: The list, such as a `SnippetList` or `SearchResults`.
  ///   - store: The store of the list.
  ///   - media: The decoder.
  ///   - thumbnailSize: The largest width and height of thumbnails in pixels. The default is 320,
  ///     for the cell of a list.
  ///   - configuration: The limits.
  public convenience init(
    list: any RowList,
    store: SnippetStore,
    media: any MediaMaking,
    thumbnailSize: Int = 320,
    configuration: Configuration = Configuration()
  ) {
    self.init(
      list: list,
      source: MediaSource(store, media: media),
      rules: .media(media, thumbnailSize: thumbnailSize),
      configuration: configuration
    )
    store.prepareForLoads()
  }
}

extension LoadPipeline {
  /// Makes the pipeline that lists of a store share if they show thumbnails and waveforms.
  ///
  /// Each is made once and stored.
  ///
  /// Lists that use it need the rules `.media(media)`.
  ///
  /// - Parameters:
  ///   - store: The store of the lists.
  ///   - media: The decoder.
  ///   - configuration: The limits.
  public convenience init(
    store: SnippetStore,
    media: any MediaMaking,
    configuration: Configuration = Configuration()
  ) {
    self.init(source: MediaSource(store, media: media), configuration: configuration)
    store.prepareForLoads()
  }
}

extension SnippetDataSource {
  /// Makes a data source of a list with thumbnails of images, waveforms of recordings and
  /// beginnings of texts.
  ///
  /// Each is made once and stored.
  ///
  /// - Parameters:
  ///   - list: The list, such as a `SnippetList` or `SearchResults`.
  ///   - store: The store of the list, which also carries out the edits.
  ///   - media: The decoder.
  ///   - thumbnailSize: The largest width and height of thumbnails in pixels. The default is 320,
  ///     for the cell of a list.
  ///   - configuration: The limits of the loader.
  public convenience init(
    list: any RowList,
    store: SnippetStore,
    media: any MediaMaking,
    thumbnailSize: Int = 320,
    configuration: SnippetLoader.Configuration = .init()
  ) {
    self.init(
      loader: SnippetLoader(
        list: list,
        store: store,
        media: media,
        thumbnailSize: thumbnailSize,
        configuration: configuration
      ),
      editor: SnippetEditor(store)
    )
  }
}

extension SnippetListModel {
  /// Makes the model of a list with thumbnails of images, waveforms of recordings and beginnings of
  /// texts.
  ///
  /// Each is made once and stored.
  ///
  /// - Parameters:
  ///   - list: The list, such as a `SnippetList` or `SearchResults`.
  ///   - store: The store of the list.
  ///   - media: The decoder.
  ///   - thumbnailSize: The largest width and height of thumbnails in pixels. The default is 320,
  ///     for the cell of a list.
  public convenience init(
    _ list: any RowList,
    in store: SnippetStore,
    media: any MediaMaking,
    thumbnailSize: Int = 320
  ) {
    var configuration = SnippetLoader.Configuration()
    configuration.countsFirst = false
    self.init(
      SnippetLoader(
        list: list,
        store: store,
        media: media,
        thumbnailSize: thumbnailSize,
        configuration: configuration
      )
    )
  }
}

extension TypedRecipe<Thumbnail> {
  /// The recipe for the pixels of a thumbnail.
  ///
  /// - Parameter maximumPixelSize: The largest width and height in pixels, from 1 to 4,096. The
  ///   default is 320, for the cell of a list.
  /// - Returns: The recipe.
  public static func thumbnail(_ maximumPixelSize: Int = 320) -> Self {
    Self(.thumbnail(maximumPixelSize))
  }
}

extension TypedRecipe<Waveform> {
  /// The recipe for a waveform: the loudness of a recording in equal parts.
  ///
  /// - Parameter peakCount: The number of parts, from 1 to 65,536. The default is 100, for a row.
  /// - Returns: The recipe.
  public static func waveform(_ peakCount: Int = 100) -> Self {
    Self(.waveform(peakCount))
  }
}
