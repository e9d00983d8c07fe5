// What a store keeps is described in words of recognition: the kind, the type, the facts and the
// encoding of content. An app that imports the store gets them too.
@_exported public import SnippetRecognition
