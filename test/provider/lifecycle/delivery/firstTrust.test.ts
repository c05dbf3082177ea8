import { FirstTrust } from "../../../../provider/lifecycle/delivery/firstTrust";

describe("the server that may get a first configuration", () => {
  it("is the first server that answers, and no other afterwards", () => {
    const trust = new FirstTrust(undefined);
    const servers = trust.beginAttempt();
    expect(trust.handedTo).toBeUndefined();
    expect([servers.takes("one"), servers.takes("two"), servers.takes("one")]).toEqual([
      true,
      false,
      true,
    ]);
    trust.endAttempt(true);
    expect(trust.beginAttempt().takes("two")).toBe(false);
    expect(trust.beginAttempt().takes("one")).toBe(true);
  });

  it("may change after an attempt in which nothing was sent", () => {
    const trust = new FirstTrust(undefined);
    trust.beginAttempt().takes("one");
    trust.endAttempt(false);
    expect(trust.handedTo).toBeUndefined();
    expect(trust.beginAttempt().takes("two")).toBe(true);
  });

  it("includes the server of an attempt that did not end before the deadline", () => {
    const trust = new FirstTrust(undefined);
    trust.beginAttempt().takes("one");
    expect(trust.handedTo).toBe("one");
    expect(trust.beginAttempt().takes("two")).toBe(false);
  });

  it("is none of an empty list, and one of several", () => {
    expect(new FirstTrust([]).beginAttempt().takes("one")).toBe(false);
    const trust = new FirstTrust(["one", "two"]);
    expect(trust.beginAttempt().takes("two")).toBe(true);
  });
});
