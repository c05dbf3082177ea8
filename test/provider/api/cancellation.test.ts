import { Cancellation } from "../../../provider/api/callOptions";

describe("Cancellation", () => {
  it("tells who listens, once", () => {
    const cancellation = new Cancellation();
    const listener = vi.fn();
    cancellation.listen(listener);
    expect(cancellation.isCancelled).toBe(false);
    cancellation.cancel();
    cancellation.cancel();
    expect(cancellation.isCancelled).toBe(true);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it("tells only who listens now", () => {
    const cancellation = new Cancellation();
    const [former, gone] = [vi.fn(), vi.fn()];
    cancellation.listen(former);
    cancellation.listen(gone);
    cancellation.listen(undefined);
    cancellation.cancel();
    expect(former).not.toHaveBeenCalled();
    expect(gone).not.toHaveBeenCalled();
  });

  it("tells at once who listens too late", () => {
    const cancellation = new Cancellation();
    cancellation.cancel();
    const listener = vi.fn();
    cancellation.listen(listener);
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
