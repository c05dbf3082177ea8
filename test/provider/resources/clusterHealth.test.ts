import { clusterHealthHandler } from "../../../provider/resources/clusterHealth";
import { clusterKubeconfigHandler } from "../../../provider/resources/clusterKubeconfig";
import { SimulatedCluster } from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../lifecycle/deliveries";
import { recordedProgress, silent } from "../progress";
import { steppingIt } from "../steppingClock";

const given = {
  controlPlaneNodes: ["127.0.0.1"],
  workerNodes: [],
  credentials: { ca: "ca", crt: "crt", key: "key" },
  kubeconfig: "kubeconfig",
  gates: ["etcd" as const],
  triggers: [],
  timeoutSeconds: 1,
};

describe("the health of a cluster with workers", () => {
  let cluster: SimulatedCluster;

  afterEach(() => cluster.stop());

  steppingIt("is asked through a control plane machine, and counts unnamed workers", async () => {
    cluster = await SimulatedCluster.create({ joinMs: 20 });
    const [first, named] = await cluster.addConfigured(1, 2);
    if (first === undefined || named === undefined) {
      throw new Error("there are three machines");
    }
    await cluster.bootstrap(first, 1);
    const machine = await machineAt(cluster, first.address);
    const { state } = await clusterKubeconfigHandler.create(
      { ...machine, checked: true, timeoutSeconds: 20 },
      silent,
    );
    const look = (minimumOtherNodes: number, timeoutSeconds: number) =>
      clusterHealthHandler.create(
        {
          controlPlaneNodes: [first.address],
          workerNodes: [named.privateAddress],
          workerEndpoint: first.address,
          minimumOtherNodes,
          credentials: machine.credentials,
          kubeconfig: state.kubeconfig,
          gates: ["etcd", "apiServer", "nodesReady"],
          triggers: [],
          timeoutSeconds,
        },
        silent,
      );
    await expect(look(1, 600)).resolves.toMatchObject({ state: { minimumOtherNodes: 1 } });
    await expect(look(2, 30)).rejects.toThrow(/1 other nodes are ready, not 2/);
  });
});

describe("the health of a cluster with an unnamed etcd member", () => {
  let cluster: SimulatedCluster;

  afterEach(() => cluster.stop());

  it("warns, also in a refresh, unless this run removes it, and says what to do", async () => {
    cluster = await SimulatedCluster.create({ joinMs: 20 });
    const nodes = await cluster.addConfigured(3);
    const [first, second, third] = nodes;
    if (first === undefined || second === undefined || third === undefined) {
      throw new Error("there are three machines");
    }
    await cluster.bootstrap(first, 3);
    const machine = await machineAt(cluster, first.address);
    const look = async () => {
      const progress = recordedProgress();
      const named = {
        ...given,
        ...machine,
        kubeconfig: "",
        timeoutSeconds: 20,
        controlPlaneNodes: [first.address, second.address],
      };
      await clusterHealthHandler.create({ ...named, endpoint: first.address }, progress);
      return progress.warnings;
    };
    const unknown = [
      expect.stringMatching(
        /^etcd has the member ip-10-0-1-3 \(10\.0\.1\.3\), and its machine is none of this program's: .* joins again when it boots.* "talosctl -n 10\.0\.1\.3 reset".* etcd remove-member [0-9a-f]+"/,
      ),
    ];
    expect(await look()).toEqual(unknown);
    const all = { ...given, ...machine, kubeconfig: "", timeoutSeconds: 20 };
    const two = { ...all, controlPlaneNodes: [first.address, second.address] };
    const three = { ...all, controlPlaneNodes: nodes.map(({ address }) => address) };
    const refreshed = recordedProgress();
    const { state } = await clusterHealthHandler.create(three, refreshed);
    await clusterHealthHandler.read?.("id", state, refreshed);
    // Its member leaves later in the run that has removed it.
    const smaller = await clusterHealthHandler.update("id", state, two, refreshed);
    expect(refreshed.warnings).toEqual([]);
    await clusterHealthHandler.read?.("id", smaller, refreshed);
    expect(refreshed.warnings).toEqual(unknown);
    await third.node.stop();
    expect(await look()).toEqual([
      expect.stringMatching(
        /^etcd has 3 members for 2 machines, and the etcd member 10\.0\.1\.3 doesn't answer: .*etcd remove-member/,
      ),
    ]);
  });
});

describe("ClusterHealth", () => {
  it("is checked again if more machines are required, not if the endpoint changes", () => {
    const state = { ...given, minimumOtherNodes: 2 };
    const changes = (news: Partial<typeof state> & { workerEndpoint?: string }) =>
      clusterHealthHandler.diff("id", state, { ...state, ...news }).changes;
    expect(changes({})).toBe(false);
    expect(changes({ minimumOtherNodes: 3 })).toBe(true);
    expect(changes({ workerNodes: ["10.0.0.1"] as never[] })).toBe(true);
    expect(changes({ workerEndpoint: "127.0.0.2" })).toBe(false);
  });

  it("reads states from before workers existed", () => {
    expect(clusterHealthHandler.diff("id", given, given).changes).toBe(false);
  });
});

describe("the etcd of a cluster that was healthy", () => {
  const outline = (version: string, etcd = {}) => ({
    machine: {
      type: "controlplane",
      install: { image: `ghcr.io/siderolabs/installer:${version}` },
    },
    cluster: { etcd },
  });
  const checked = (
    olds: Parameters<typeof clusterHealthHandler.check>[0],
    redactedConfiguration?: ReturnType<typeof outline>,
  ) =>
    clusterHealthHandler.check(olds, {
      ...given,
      ...(redactedConfiguration && { redactedConfiguration }),
    });

  it("can't become an older minor, because its members wouldn't start", async () => {
    const { inputs, failures } = await checked(undefined, outline("v1.14.6"));
    expect(failures).toEqual([]);
    expect(inputs).toMatchObject({ etcdMinor: 7 });
    const back = await checked(inputs, outline("v1.13.9"));
    expect(back.failures).toEqual([
      {
        property: "talosVersion",
        reason: expect.stringMatching(
          /etcd 3\.6, .* does not start .* There is no way back/,
        ) as string,
      },
    ]);
  });

  it("may go on, stay where its image is pinned, and be unknown", async () => {
    const image = "registry.k8s.io/etcd:v3.6.12";
    const pinned = await checked(undefined, outline("v1.14.6", { image }));
    expect(pinned.inputs).toMatchObject({ etcdMinor: 6 });
    for (const next of [outline("v1.13.9"), outline("v1.14.6"), undefined]) {
      expect((await checked(pinned.inputs, next)).failures).toEqual([]);
    }
  });
});
