import { Cancellation } from "../../../provider/api/callOptions";

describe("Cancellation", () => {
  it("notifies a listener once", () => {
    const cancellation = new Cancellation();
    const listener = vi.fn();
    cancellation.listen(listener);
    expect(cancellation.isCancelled).toBe(false);
    cancellation.cancel();
    cancellation.cancel();
    expect(cancellation.isCancelled).toBe(true);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it("notifies only current listeners", () => {
    const cancellation = new Cancellation();
    const [former, gone] = [vi.fn(), vi.fn()];
    cancellation.listen(former);
    cancellation.listen(gone);
    cancellation.listen(undefined);
    cancellation.cancel();
    expect(former).not.toHaveBeenCalled();
    expect(gone).not.toHaveBeenCalled();
  });

  it("notifies late listeners at once", () => {
    const cancellation = new Cancellation();
    cancellation.cancel();
    const listener = vi.fn();
    cancellation.listen(listener);
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
