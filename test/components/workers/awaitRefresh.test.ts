import { awaitRefresh, type RefreshWait } from "../../../components/workers/awaitRefresh";
import type { PoolMachine, PoolMachines } from "../../../components/workers/poolMachines";

const machine = (number: number): PoolMachine => ({
  instanceId: `i-${number}`,
  privateAddress: `10.0.0.${number}`,
});
const node = (number: number, isReady: boolean) => ({
  name: `ip-10-0-0-${number}`,
  addresses: [`10.0.0.${number}`],
  isReady,
});
/** Gives one after the other, and the last one ever after. */
const oneAfterTheOther = <T>(values: readonly [T, ...T[]]) => {
  let index = 0;
  return () => Promise.resolve(values[Math.min(index++, values.length - 1)] ?? values[0]);
};

describe("the wait for a group's refresh", () => {
  const before: PoolMachines = { old: [machine(1)], current: [] };
  const between: PoolMachines = { old: [machine(1)], current: [machine(2)] };
  const after: PoolMachines = { old: [], current: [machine(2)] };
  const wait = async (more: Pick<RefreshWait, "find" | "nodes"> & Partial<RefreshWait>) => {
    const lines: string[] = [];
    await awaitRefresh({
      groupName: "apps-a",
      timeoutSeconds: 30,
      intervalMs: 1,
      report: (line) => lines.push(line),
      ...more,
    });
    return lines.join("\n");
  };

  it("lasts until no machine of an older version is left", async () => {
    const lines = await wait({
      find: oneAfterTheOther([before, between, after]),
      nodes: undefined,
    });
    expect(lines).toMatch(/1 of 1 machines still have the old launch template version/);
    expect(lines).toMatch(/1 of 2 machines still have the old launch template version/);
  });

  it("lasts until Kubernetes has a Ready node for each machine", async () => {
    const lines = await wait({
      find: oneAfterTheOther([after]),
      nodes: oneAfterTheOther([[], [node(1, true)], [node(2, false)], [node(2, true)]]),
    });
    expect(lines).toMatch(/no Ready node in Kubernetes for i-2/);
  });

  it("continues while EC2 or Kubernetes doesn't answer", async () => {
    let times = 0;
    const lines = await wait({
      find: () => (times++ === 0 ? Promise.reject(new Error("throttled")) : Promise.resolve(after)),
      nodes: undefined,
    });
    expect(lines).toMatch(/throttled/);
  });

  it("drains machines during the refresh, and uncordons nodes if AWS gives up", async () => {
    const asked: string[] = [];
    const drain = {
      look: ({ old, current }: PoolMachines) => {
        asked.push(`${old.length} old, ${current.length} new`);
        return Promise.resolve(current.length === 0 ? "" : "still ending: 1 pods");
      },
      end: () => Promise.resolve(void asked.push("ended")),
      giveUp: () => Promise.resolve(void asked.push("given up")),
    };
    const find = oneAfterTheOther([before, between, after]);
    expect(await wait({ find, nodes: undefined, drain })).toContain(
      "1 of 2 machines still have the old launch template version; pods still ending: 1 pods",
    );
    expect(asked.splice(0)).toEqual(["1 old, 0 new", "1 old, 1 new", "ended"]);
    const stuck = { find: oneAfterTheOther([before]), nodes: undefined, drain };
    await expect(wait({ ...stuck, timeoutSeconds: 0.05 })).rejects.toThrow(/Groups after it keep/);
    expect(asked.at(-1)).toBe("given up");
  });

  it("fails with what to do if AWS doesn't finish", async () => {
    const find = oneAfterTheOther([between]);
    await expect(wait({ find, nodes: undefined, timeoutSeconds: 0.05 })).rejects.toThrow(
      /apps-a to replace its machines.*1 of 2 machines still have.*Groups after it keep their machines.*describe-instance-refreshes --auto-scaling-group-name apps-a/s,
    );
  });
});
