import { TalosCluster, type TalosClusterArgs } from "../../components";
import { TalosClient } from "../../provider/api/talosClient";
import { KubernetesApi } from "../../provider/kubernetes/kubernetesApi";
import { expectDocumented } from "../documented";
import { eventually } from "../emulator/support/eventually";
import { administrator } from "./support/administrator";
import { askEndpoint } from "./support/askEndpoint";
import { controlPlaneAlone, FOLLOW_MS } from "./support/controlPlaneLife";
import { type EngineWorld, startEngineWorld } from "./support/engineWorld";
import { killedWhile } from "./support/killedWhile";
import { lifeSteps } from "./support/lifeSteps";
import { plannedSteps } from "./support/plannedSteps";
import { Probe } from "./support/probe";
import { outputsIn, storedResources } from "./support/storedResources";

const standard: TalosClusterArgs = {
  ...controlPlaneAlone,
  talosVersion: "v1.11.5",
  versionContract: "v1.11",
  kubernetesVersion: "v1.34.0",
  network: { zones: ["us-east-1a"] },
  controlPlane: { machineCount: 3 },
  workerPools: { apps: { machineCount: 2 } },
};

const CONTROL_PLANES = ["c-control-plane-1", "c-control-plane-2", "c-control-plane-3"];
const WORKERS = ["c-apps-1", "c-apps-2"];

/** A setting that no release changes. */
const somaxconn = { machine: { sysctls: { "net.core.somaxconn": "4096" } } };

// One cluster's life: each step goes on where the one before it ended.
describe("other releases of Talos and Kubernetes, by the real engine", () => {
  const step = lifeSteps();
  let world: EngineWorld;
  let args = standard;
  /** Names of machines by their instance ids. */
  let names: ReadonlyMap<string, string>;

  beforeAll(async () => {
    world = await startEngineWorld({
      program: () => {
        const { nodes, kubeconfig } = new TalosCluster("c", args);
        return Promise.resolve({ nodes, kubeconfig });
      },
    });
    const { outputs } = await world.stack.up(world.record);
    const nodes = outputs.nodes?.value as { readonly instanceId: string; readonly name: string }[];
    names = new Map(nodes.map(({ instanceId, name }) => [instanceId, name]));
  });

  afterAll(() => world.close());

  const up = (options: object = {}, stack = world.stack) =>
    stack.up({ ...world.record, ...options });
  /** Asks the endpoint every 100 ms what only an API server with etcd's majority answers. */
  const upWhileAsked = async () => {
    const resources = await storedResources(world.stack);
    const { plaintext } = outputsIn(resources).kubeconfig as { readonly plaintext: string };
    const kubeconfig = JSON.parse(plaintext) as string;
    const probe = new Probe(() => askEndpoint(world, kubeconfig, "/readyz"));
    try {
      await up();
    } finally {
      const { answers, failures } = await probe.stop();
      expect(failures).toEqual([]);
      expect(answers).toBeGreaterThan(10);
    }
  };
  const machine = (name: string) => {
    const found = world.emulator.nodes().find(({ instanceId }) => names.get(instanceId) === name);
    if (found === undefined) {
      throw new Error(`there is no ${name}`);
    }
    return found;
  };
  const daemonSet = async (name: string) => {
    const { kubeconfig } = await world.stack.outputs();
    const api = new KubernetesApi(String(kubeconfig?.value));
    const { address } = machine("c-control-plane-1");
    const path = `/apis/apps/v1/namespaces/kube-system/daemonsets/${name}`;
    const answer = await api.get(path, { address, port: 6443, timeoutMs: 5_000 });
    return JSON.parse(answer) as { readonly spec: object; readonly status: object };
  };
  const configurationOf = (name: string) => machine(name).machineConfiguration ?? "";
  const configurations = () => [...CONTROL_PLANES, ...WORKERS].map(configurationOf);
  const versions = () =>
    Object.fromEntries(
      [...CONTROL_PLANES, ...WORKERS].map((name) => [name, machine(name).talosVersion]),
    );
  const all = (version: string) =>
    Object.fromEntries([...CONTROL_PLANES, ...WORKERS].map((name) => [name, version]));

  step("of Talos are rejected in the preview if they skip a minor, with the steps", async () => {
    args = { ...args, talosVersion: "v1.13.0" };
    const failure: unknown = await world.stack
      .preview(world.record)
      .catch((error: unknown) => error);
    const reason =
      'the machine runs Talos v1.11.5, and v1.13.0 is 2 minors above it: go one minor at a time, with an "up" for the newest release of v1.12, then v1.13.0';
    expect(String(failure)).toContain(reason);
    expectDocumented("upgrades.md", reason);
    expect(versions()).toEqual(all("v1.11.5"));
  });

  step("of Talos change no machine in AWS", async () => {
    args = { ...args, talosVersion: "v1.12.1" };
    const steps = await plannedSteps(world.stack, world.record);
    expect(steps.filter((each) => each.includes("ConfigurationApply"))).toHaveLength(5);
    expect(steps.filter((each) => /Instance|^(create|replace|delete) /.test(each))).toEqual([]);
  });

  step("stop at a machine that returns on its old system; the others keep running", async () => {
    const fault = await world.emulator.faults.inject({
      kind: "brokenUpgrade",
      machine: machine("c-control-plane-2").instanceId,
    });
    const failure: unknown = await up().catch((error: unknown) => error);
    expect(String(failure)).toMatch(
      /restarted with v1\.11\.5, its old system, instead of v1\.12\.1/,
    );
    expect(versions()).toEqual({ ...all("v1.11.5"), "c-control-plane-1": "v1.12.1" });
    await fault.lift();
  });

  step(
    "continue after a killed engine, control plane first and one machine at a time",
    async () => {
      const isMoment = () => machine("c-control-plane-2").stage === "rebooting";
      await killedWhile(up, isMoment, world);
      expect(machine("c-control-plane-3").talosVersion).toBe("v1.11.5");
      const watch = watchMachines(world, names);
      await up();
      const order = watch.stop();
      expect(versions()).toEqual(all("v1.12.1"));
      const last = (prefix: string) =>
        order.filter(({ away }) => away.some((name) => name.startsWith(prefix)));
      expect(Math.max(...order.map(({ away }) => away.length))).toBe(1);
      expect(last("c-apps").length).toBeGreaterThan(0);
      const firstWorker = order.findIndex(({ away }) =>
        away.some((name) => WORKERS.includes(name)),
      );
      const lastControlPlane = order.findLastIndex(({ away }) =>
        away.some((name) => CONTROL_PLANES.includes(name)),
      );
      expect(firstWorker).toBeGreaterThan(lastControlPlane);
    },
  );

  step("are complete: no change is left, also after a refresh", async () => {
    const { changeSummary } = await world.stack.preview({ ...world.record, refresh: true });
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  });

  step(
    "are found by a refresh if they were installed by hand, and reverted by the next update",
    async () => {
      const { address } = machine("c-apps-1");
      const client = TalosClient.connect({
        endpoint: machine("c-control-plane-1").address,
        node: address,
        credentials: await administrator(world.stack),
      });
      await client.upgrade({ image: "ghcr.io/siderolabs/installer:v1.13.0" });
      client.close();
      await eventually(() => {
        expect(machine("c-apps-1")).toMatchObject({ talosVersion: "v1.13.0", stage: "running" });
      }, FOLLOW_MS);
      const { changeSummary } = await world.stack.preview({ ...world.record, refresh: true });
      // The machine, and the cluster's health, which is looked at again.
      expect(changeSummary.update).toBe(2);
      await up({ refresh: true });
      expect(versions()).toEqual(all("v1.12.1"));
    },
  );

  step("of Kubernetes are rejected in the preview if they skip a minor", async () => {
    args = { ...args, talosVersion: "v1.13.0", kubernetesVersion: "v1.36.0" };
    const failure: unknown = await world.stack
      .preview(world.record)
      .catch((error: unknown) => error);
    expect(String(failure)).toContain(
      'go one minor at a time, with an "up" for the newest release of v1.35, then v1.36.0',
    );
  });

  step("of Kubernetes change nothing if an image doesn't exist, and can be reverted", async () => {
    const before = configurations();
    args = { ...args, talosVersion: "v1.12.1", kubernetesVersion: "v1.35.99" };
    const failure: unknown = await up().catch((error: unknown) => error);
    expect(String(failure)).toContain("kube-apiserver:v1.35.99: not found");
    expect(configurations()).toEqual(before);
    args = { ...args, kubernetesVersion: "v1.34.0" };
    await up();
    expect(configurations()).toEqual(before);
  });

  step("that a killed run began are taken back by an update without a refresh", async () => {
    const before = configurations();
    const isChanged = (name: string, word: string) => () => configurationOf(name).includes(word);
    const changes: readonly (readonly [Partial<TalosClusterArgs>, () => boolean])[] = [
      [{ kubernetesVersion: "v1.35.0" }, isChanged("c-control-plane-1", "kube-apiserver:v1.35.0")],
      [{ patches: [somaxconn] }, isChanged("c-control-plane-2", "somaxconn")],
    ];
    for (const [wanted, isMoment] of changes) {
      const former = args;
      args = { ...args, ...wanted };
      await killedWhile(up, isMoment, world);
      expect(configurations()).not.toEqual(before);
      args = former;
      await up();
      expect(configurations()).toEqual(before);
      const { changeSummary } = await world.stack.preview(world.record);
      expect(Object.keys(changeSummary)).toEqual(["same"]);
    }
  });

  step("of Kubernetes reach every API server before any kubelet", async () => {
    args = { ...args, kubernetesVersion: "v1.35.0" };
    const seen: string[] = [];
    const timer = setInterval(() => {
      const texts = CONTROL_PLANES.concat(WORKERS).map((name) => configurationOf(name));
      const api = texts.filter((text) => text.includes("kube-apiserver:v1.35.0")).length;
      const kubelets = texts.filter((text) => text.includes("kubelet:v1.35.0")).length;
      if (kubelets > 0 && api < CONTROL_PLANES.length) {
        seen.push(`${kubelets} kubelets beside ${api} API servers`);
      }
    }, 5);
    await upWhileAsked();
    clearInterval(timer);
    expect(seen).toEqual([]);
    expect(configurations().every((text) => text.includes("kubelet:v1.35.0"))).toBe(true);
    const changed = "DaemonSet kube-system/kube-proxy: changed";
    expect(world.transcript()).toContain(changed);
    expectDocumented("upgrades.md", changed);
    const proxy = await daemonSet("kube-proxy");
    expect(JSON.stringify(proxy.spec)).toContain("kube-proxy:v1.35.0");
    expect(proxy.status).toMatchObject({ updatedNumberScheduled: 5, numberAvailable: 5 });
    const { changeSummary } = await world.stack.preview({ ...world.record, refresh: true });
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  });

  /** Looks all the time for machines whose Talos doesn't support their Kubernetes. */
  const watchPairs = () => {
    const seen = new Set<string>();
    const timer = setInterval(() => {
      for (const name of [...CONTROL_PLANES, ...WORKERS]) {
        const { talosVersion, stage } = machine(name);
        // Not kube-proxy's, which Talos doesn't judge.
        const isNew = /(kubelet|apiserver|manager|scheduler):v1\.36\.0/.test(configurationOf(name));
        if (talosVersion === "v1.12.1" && stage === "running" && isNew) {
          seen.add(name);
        }
      }
    }, 5);
    return () => {
      clearInterval(timer);
      return [...seen];
    };
  };
  /** Looks all the time for newer components beside an API server that is back on the older minor. */
  const watchSkew = () => {
    const seen = new Set<string>();
    const timer = setInterval(() => {
      const text = configurations().join("\n");
      const newer = text.match(/(kubelet|manager|scheduler):v1\.36\.0/g) ?? [];
      if (text.includes("kube-apiserver:v1.35.0")) {
        newer.forEach((each) => seen.add(each));
      }
    }, 5);
    return () => {
      clearInterval(timer);
      return [...seen];
    };
  };
  const kubernetesVersions = () => [
    ...new Set(
      configurations().flatMap(
        (text) => text.match(/(?<=kubelet:|kube-\w+(?:-\w+)?:)v[\d.]+/g) ?? [],
      ),
    ),
  ];

  step(
    "of both change Talos on the control plane first if Kubernetes needs it, also after a kill",
    async () => {
      args = { ...args, talosVersion: "v1.13.0", kubernetesVersion: "v1.36.0" };
      const end = watchPairs();
      const isMoment = () => machine("c-control-plane-2").stage === "rebooting";
      await killedWhile(up, isMoment, world);
      expect(versions()).toMatchObject({
        "c-control-plane-1": "v1.13.0",
        "c-control-plane-3": "v1.12.1",
      });
      expect(configurations().join("\n")).not.toContain(":v1.36.0");
      await upWhileAsked();
      expect(end()).toEqual([]);
      expect(versions()).toEqual(all("v1.13.0"));
      expect(kubernetesVersions()).toEqual(["v1.36.0"]);
      const { changeSummary } = await world.stack.preview({ ...world.record, refresh: true });
      expect(Object.keys(changeSummary)).toEqual(["same"]);
    },
  );

  step("of both go back in the opposite order, in one update", async () => {
    args = { ...args, talosVersion: "v1.12.1", kubernetesVersion: "v1.35.0" };
    const end = watchPairs();
    const endOfSkew = watchSkew();
    await up();
    expect(end()).toEqual([]);
    expect(endOfSkew()).toEqual([]);
    expect(versions()).toEqual(all("v1.12.1"));
    expect(kubernetesVersions()).toEqual(["v1.35.0"]);
    const { changeSummary } = await world.stack.preview({ ...world.record, refresh: true });
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  });
});

/** Looks all the time which machines are away. */
function watchMachines({ emulator }: EngineWorld, names: ReadonlyMap<string, string>) {
  const seen: { readonly away: readonly string[] }[] = [];
  const timer = setInterval(() => {
    const away = emulator
      .nodes()
      .filter(({ stage }) => stage !== "running")
      .map(({ instanceId }) => names.get(instanceId) ?? instanceId);
    seen.push({ away });
  }, 5);
  return {
    stop: () => {
      clearInterval(timer);
      return seen;
    },
  };
}
