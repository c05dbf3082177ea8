import { clock } from "../../../../provider/base/clock";
import { PullWatch } from "../../../../provider/lifecycle/health/pullWatch";
import { withMachine } from "../../../../provider/lifecycle/machine";
import { steppingIt } from "../../steppingClock";
import { type FactsMachine, startFactsMachine } from "../factsMachine";
import { facts, service } from "../machineSamples";

const pullingSince = (at: string) =>
  service("kubelet", {
    state: "Preparing",
    events: [{ state: "Preparing", message: "Running pre state", at }],
  });
const retry = (error: string) =>
  `[talos] 2026/01/02 10:00:00 retrying error: failed to pull image "kubelet:v1": ${error}`;

describe("PullWatch", () => {
  let machine: FactsMachine;
  afterEach(() => machine.stop());

  steppingIt("keeps what it has read of a pull while other lines fill the log", async () => {
    machine = await startFactsMachine(facts(), "");
    const watch = new PullWatch();
    const read = (at: string) =>
      withMachine(machine.machine, (client) => watch.read(client, [pullingSince(at)], {}));
    const log = (...lines: string[]) => machine.logs.set("machined", lines);
    const later = () => clock.pause(10_000, new AbortController().signal);
    const [first, second] = ["2026-01-02T10:00:00.000Z", "2026-01-02T10:01:00.000Z"];
    log(retry("connection refused"));
    const refused = 'failed to pull image "kubelet:v1": connection refused';
    expect(await read(first)).toEqual([refused]);
    await later();
    log(retry("no such host"));
    const noHost = 'failed to pull image "kubelet:v1": no such host';
    expect(await read(first)).toEqual([refused, noHost]);
    // Another start of the service.
    log();
    expect(await read(second)).toEqual([]);
  });

  it("knows nothing of a machine without that log", async () => {
    machine = await startFactsMachine(facts(), "");
    const services = [pullingSince("2026-01-02T10:00:00.000Z")];
    expect(
      await withMachine(machine.machine, (client) => new PullWatch().read(client, services, {})),
    ).toEqual([]);
  });
});
