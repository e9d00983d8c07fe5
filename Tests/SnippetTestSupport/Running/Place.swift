/// Keeps the memory of an object from being used again, without keeping the object.
package struct Place {
  private unowned let object: AnyObject

  package init(_ object: AnyObject) {
    self.object = object
  }
}
