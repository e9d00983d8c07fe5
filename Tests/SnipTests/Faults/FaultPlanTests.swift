import SnippetTestSupport
import Testing

struct FaultPlanTests {
  @Test(arguments: [
    "write:-wal:3:EIO", "write:*:5+:ENOSPC", "sync:*:2:kill", "read:store.sqlite:4:short",
    "*:*:1:killafter", "open:*:7+:EMFILE",
  ])
  func `a plan is printed as it is written`(text: String) throws {
    #expect(try #require(FaultPlan(text)).description == text)
  }

  @Test func `calls may have their own names`() throws {
    #expect(FaultPlan("pwrite:-wal:3:EIO") == FaultPlan("write:-wal:3:EIO"))
    #expect(FaultPlan("fsync:*:2:kill") == FaultPlan(.sync, number: 2, .kill))
  }

  @Test(arguments: [
    "", "write", "write:*:1", "write::1:EIO", "write:*:0:EIO", "write:*:+:EIO", "write:*:1:EPERM",
    "paint:*:1:EIO", "write:*:1:EIO:", "write:*:-1:EIO", "write:*:1++:EIO",
  ])
  func `what is no plan is none`(text: String) {
    #expect(FaultPlan(text) == nil)
  }

  @Test func `every action and every call has its name`() {
    for call in FaultPlan.Call.allCases {
      for error in FaultPlan.SystemError.allCases {
        let plan = FaultPlan(call, of: "-shm", number: 9, isForGood: true, .fail(error))
        #expect(FaultPlan(plan.description) == plan)
      }
    }
  }
}
