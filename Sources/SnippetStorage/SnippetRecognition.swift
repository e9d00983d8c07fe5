// The kinds, types, facts and encodings of content come from SnippetRecognition. An app that
// imports the store gets them too.
@_exported public import SnippetRecognition
