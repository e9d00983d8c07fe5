/// Keeps the memory of an object from being reused, without keeping the object.
package struct Place {
  private unowned let object: AnyObject

  package init(_ object: AnyObject) {
    self.object = object
  }
}
