public import SnippetLoading
public import SnippetStorage

extension SnippetLoader {
  /// Makes a loader of a list with thumbnails of images, waveforms of recordings and the beginnings
  /// of texts, each made once and kept in the store.
  ///
  /// - Parameters:
  ///   - list: The list, such as a `SnippetList` or `SearchResults`.
  ///   - store: The store that the list is of.
  ///   - media: What decodes.
  ///   - thumbnailSize: The most pixels a side of the thumbnails. The default is 320, for the cell
  ///     of a list.
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
      configuration: configuration,
      environment: LoaderEnvironment()
    )
  }
}

extension LoadPipeline {
  /// Makes what lists of a store share where they show thumbnails and waveforms, each made once and
  /// kept in the store.
  ///
  /// A list that uses it takes the rules `.media(media)`.
  ///
  /// - Parameters:
  ///   - store: The store that the lists are of.
  ///   - media: What decodes.
  ///   - configuration: The limits.
  public convenience init(
    store: SnippetStore,
    media: any MediaMaking,
    configuration: Configuration = Configuration()
  ) {
    self.init(source: MediaSource(store, media: media), configuration: configuration)
  }
}

extension SnippetDataSource {
  /// Makes a data source of a list with thumbnails of images, waveforms of recordings and the
  /// beginnings of texts, each made once and kept in the store.
  ///
  /// - Parameters:
  ///   - list: The list, such as a `SnippetList` or `SearchResults`.
  ///   - store: The store that the list is of; it carries out the commands.
  ///   - media: What decodes.
  ///   - thumbnailSize: The most pixels a side of the thumbnails. The default is 320, for the cell
  ///     of a list.
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
  /// Makes the model of a list with thumbnails of images, waveforms of recordings and the beginnings
  /// of texts, each made once and kept in the store.
  ///
  /// - Parameters:
  ///   - list: The list, such as a `SnippetList` or `SearchResults`.
  ///   - store: The store that the list is of.
  ///   - media: What decodes.
  ///   - thumbnailSize: The most pixels a side of the thumbnails. The default is 320, for the cell
  ///     of a list.
  public convenience init(
    _ list: any RowList,
    in store: SnippetStore,
    media: any MediaMaking,
    thumbnailSize: Int = 320
  ) {
    self.init(
      SnippetLoader(list: list, store: store, media: media, thumbnailSize: thumbnailSize)
    )
  }
}

extension TypedRecipe<Thumbnail> {
  /// A picture in pixels.
  ///
  /// - Parameter maximumPixelSize: The most pixels on each side, from 1 to 4,096. The default is
  ///   320, for the cell of a list.
  /// - Returns: The recipe.
  public static func thumbnail(_ maximumPixelSize: Int = 320) -> Self {
    Self(.thumbnail(maximumPixelSize))
  }
}

extension TypedRecipe<Waveform> {
  /// How loud a recording is, in equal parts.
  ///
  /// - Parameter peakCount: The number of parts, from 1 to 65,536. The default is 100, for a row.
  /// - Returns: The recipe.
  public static func waveform(_ peakCount: Int = 100) -> Self {
    Self(.waveform(peakCount))
  }
}
