import { FirstTrust } from "../../../provider/lifecycle/firstTrust";

describe("to whom a first configuration may go", () => {
  it("is the first server that is met, and no other from then on", () => {
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

  it("is open again after an attempt in which nothing was sent", () => {
    const trust = new FirstTrust(undefined);
    trust.beginAttempt().takes("one");
    trust.endAttempt(false);
    expect(trust.handedTo).toBeUndefined();
    expect(trust.beginAttempt().takes("two")).toBe(true);
  });

  it("counts the server of an attempt that never ended, as when the time is over meanwhile", () => {
    const trust = new FirstTrust(undefined);
    trust.beginAttempt().takes("one");
    expect(trust.handedTo).toBe("one");
    expect(trust.beginAttempt().takes("two")).toBe(false);
  });

  it("is nobody of an empty list, and one of several", () => {
    expect(new FirstTrust([]).beginAttempt().takes("one")).toBe(false);
    const trust = new FirstTrust(["one", "two"]);
    expect(trust.beginAttempt().takes("two")).toBe(true);
  });
});
