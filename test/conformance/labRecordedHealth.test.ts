import { TalosClient } from "../../provider/api/talosClient";
import { waitFor } from "../../provider/api/waitFor";
import { judgeMachine } from "../../provider/lifecycle/health/judgeMachine";
import { readMachineFacts } from "../../provider/lifecycle/health/machineFacts";
import type { ClientCredentials } from "../../provider/pki/clientCredentials";
import { describeWithKubernetesLab } from "./support/kubernetesLab";
import { makeLabCluster } from "./support/labCluster";
import { ServedResource } from "./support/servedResource";

/** A machine that other programs slow down took minutes to pull and start what Kubernetes is made of. */
const node = "10.7.0.2";

// One cluster's life: each test goes on where the one before it ended.
describeWithKubernetesLab("a change of a machine that runs real Kubernetes", (lab) => {
  const machine = new ServedResource("ConfigurationApply");
  const said: string[] = [];
  let inputs: (patches: object[], timeoutSeconds?: number) => object;
  let credentials: ClientCredentials;
  let client: TalosClient;

  /** What isn't well with the machine now. */
  const problems = async () => {
    const { problems: own, unmet } = judgeMachine(await readMachineFacts(client, {}));
    return [...own, ...unmet];
  };
  const apiServer = (extraArgs: object) => ({ cluster: { apiServer: { extraArgs } } });

  beforeAll(async () => {
    vi.spyOn(process.stdout, "write").mockImplementation((text) => said.push(String(text)) > 0);
    const cluster = await makeLabCluster(lab, node);
    ({ credentials } = cluster);
    inputs = (more, timeoutSeconds = 600) => ({
      ...cluster.inputs("controlplane", node, more),
      timeoutSeconds,
    });
    client = TalosClient.connect({ endpoint: node, credentials });
    await lab.up(["cp1:2"]);
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    client.close();
    await lab.down();
  });

  it("gets its first configuration before the cluster exists", async () => {
    expect(await machine.up(inputs([]))).toBe("created");
    expect(machine.outputs).not.toHaveProperty("wellness");
    const bootstrap = new ServedResource("MachineBootstrap");
    const reach = { node, endpoint: node, credentials, timeoutSeconds: 600 };
    await bootstrap.up({ ...reach, peers: [] });
    await waitFor<undefined>({
      what: "the machine to be well",
      deadlineMs: 600_000,
      probe: async () => {
        const seen = await problems();
        return seen.length === 0
          ? { done: true, value: undefined }
          : { done: false, status: seen[0] ?? "" };
      },
    });
  });

  it("fails with a file that the API server doesn't find, and names pod and reason", async () => {
    const file = { "authentication-token-webhook-config-file": "/no/such/file" };
    const change = machine.up(inputs([apiServer(file)], 120));
    const error: unknown = await change.catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toMatch(
      /gave up waiting for machine 10\.7\.0\.2 to be healthy .*pod kube-system\/kube-apiserver-\S+: container kube-apiserver .*exit code 1/,
    );
    expect(machine.outputs.wellness).toBe("awaited");
  });

  it("is healthy again when the flag is removed", async () => {
    expect(await machine.up(inputs([]))).toBe("updated");
    expect(machine.outputs.wellness).toBe("reached");
    expect(await problems()).toEqual([]);
  });

  it("is done with a good change only when the new API server is ready", async () => {
    const before = await apiServerStart();
    expect(await machine.up(inputs([apiServer({ v: "1" })]))).toBe("updated");
    expect(await apiServerStart()).toBeGreaterThan(before);
    expect(await problems()).toEqual([]);
  });

  it("fails with a flag that the kubelet refuses, and is healthy again without it", async () => {
    const kubelet = { machine: { kubelet: { extraArgs: { "hairpin-mode": "sideways" } } } };
    const change = machine.up(inputs([apiServer({ v: "1" }), kubelet], 60));
    await expect(change).rejects.toThrow(/kubelet is/);
    expect(await machine.up(inputs([apiServer({ v: "1" })]))).toBe("updated");
    expect(await problems()).toEqual([]);
  });

  async function apiServerStart(): Promise<number> {
    const { podStatuses } = await readMachineFacts(client, {});
    const [status] = [...podStatuses].flatMap(([id, each]) =>
      id.includes("kube-apiserver") ? [each] : [],
    );
    return Date.parse(status?.containers[0]?.startedAt ?? "");
  }
});
