import { ServiceBoard } from "../../../../emulator/talos/machine/serviceBoard";

const nobody = { happened: () => undefined, changed: () => undefined };

describe("the services of a node", () => {
  test("have the health of their last check, with an event per change", () => {
    let changes = 0;
    const board = new ServiceBoard({
      happened: () => undefined,
      changed: () => {
        changes += 1;
      },
    });
    board.transition("etcd", "Running", "Started");
    expect(board.find("etcd")?.health.unknown).toBe(true);
    board.checked("etcd", "no leader");
    board.checked("etcd", "no leader");
    board.checked("etcd");
    board.checked("etcd");
    expect(changes).toBe(3);
    expect(board.find("etcd")).toMatchObject({
      state: "Running",
      health: { unknown: false, healthy: true, message: "" },
    });
    expect(board.find("etcd")?.events.map(({ message }) => message)).toEqual([
      "Started",
      "Health check failed: no leader",
      "Health check successful",
    ]);
  });

  test("are unhealthy once they have stopped, and unknown when they start again", () => {
    const board = new ServiceBoard(nobody);
    board.transition("kubelet", "Running", "Started");
    board.checked("kubelet");
    board.transition("kubelet", "Finished", "Done");
    expect(board.find("kubelet")?.health).toMatchObject({
      unknown: false,
      healthy: false,
      message: "service not running",
    });
    board.transition("kubelet", "Running", "Started");
    expect(board.find("kubelet")?.health).toMatchObject({ unknown: true, healthy: false });
  });

  test("keep their last 64 events", () => {
    const board = new ServiceBoard(nobody);
    for (let index = 0; index < 100; index += 1) {
      board.transition("x", "Running", `${index}`);
    }
    const events = board.find("x")?.events ?? [];
    expect(events).toHaveLength(64);
    expect(events[0]?.message).toBe("36");
  });

  test("are listed by id; a check of an unknown one has no effect", () => {
    const board = new ServiceBoard(nobody);
    board.transition("b", "Running", "");
    board.transition("a", "Running", "");
    board.checked("c");
    expect(board.list().map(({ id }) => id)).toEqual(["a", "b"]);
  });
});
