import { lookAtMachine } from "../../../../provider/lifecycle/health/lookAtMachine";
import { type MachineFacts } from "../../../../provider/lifecycle/health/machineFacts";
import { withMachine } from "../../../../provider/lifecycle/machine";
import { beginning, failure } from "../controllerLines";
import { type FactsMachine, startFactsMachine } from "../factsMachine";
import { container, facts, podStatus, withApiServer } from "../machineSamples";

const SECRET = "abcdef.0123456789abcdef";
const CONFIGURATION = `machine: {type: controlplane, token: ${SECRET}}\n`;
const LOG_ID = "kube-system/kube-apiserver-cp-1:kube-apiserver:0123456789ab";

const crashed = withApiServer(
  podStatus(
    container("kube-apiserver", {
      ready: false,
      startedAt: undefined,
      waiting: { reason: "CrashLoopBackOff", message: "" },
      lastEnd: {
        exitCode: 1,
        reason: "Error",
        message: "",
        containerId: "containerd://0123456789abcdef",
      },
    }),
  ),
);

let machine: FactsMachine;

afterEach(() => machine.stop());

async function problemsOf(
  now: MachineFacts,
  logs: Readonly<Record<string, readonly string[] | undefined>>,
): Promise<readonly string[]> {
  machine = await startFactsMachine(now, CONFIGURATION);
  for (const [id, lines] of Object.entries(logs)) {
    if (lines === undefined) {
      machine.logs.delete(id);
    } else {
      machine.logs.set(id, lines);
    }
  }
  const { verdict } = await withMachine(machine.machine, (client) => lookAtMachine(client, {}));
  return verdict.problems;
}

describe("lookAtMachine", () => {
  it("quotes a failing controller, without the secrets of the machine's configuration", async () => {
    const error = `can't use the token ${SECRET} of the cluster`;
    const lines = failure("2026-01-02T10:00:01.000Z", "k8s.KubeletSpecController", error);
    expect(await problemsOf(facts(), { "controller-runtime": lines })).toEqual([
      "Talos' controller k8s.KubeletSpecController fails, so what runs is from an older configuration: can't use the token «secret» of the cluster",
    ]);
  });

  it("quotes the end of a crashed container's log, without those secrets", async () => {
    const words = ["Usage:", "", `unknown token ${SECRET}`, "giving up", "Error: no way"];
    const lines = words.map((line) => `2026-01-02T10:00:01.0Z stderr F ${line}`);
    const problems = await problemsOf(crashed, { [LOG_ID]: lines });
    expect(problems.at(-1)).toBe(
      `the log of kube-apiserver ends with "unknown token «secret»", "giving up", "Error: no way" ("talosctl logs --kubernetes ${LOG_ID}" shows all)`,
    );
  });

  it("names the command if that log can't be read", async () => {
    expect((await problemsOf(crashed, {})).at(-1)).toBe(
      `the log of kube-apiserver can't be read: try "talosctl logs --kubernetes ${LOG_ID}"`,
    );
  });

  it("judges by the machine alone if it has no log of controllers, or a quiet one", async () => {
    expect(await problemsOf(facts(), { "controller-runtime": undefined })).toEqual([]);
    await machine.stop();
    const quiet = [beginning("2026-01-02T10:00:01.000Z", "k8s.KubeletSpecController")];
    expect(await problemsOf(facts(), { "controller-runtime": quiet })).toEqual([]);
  });
});
