import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { CommandFailure } from "../../cli/commandFailure";
import { planStackRepair } from "../../cli/repair/repairStack";
import { restoreCluster, type RestoreRequest } from "../../cli/restore/restoreCluster";
import { restoreTarget } from "../../cli/restore/restoreTarget";
import { TalosCluster } from "../../components";
import { expectDocumented } from "../documented";
import { eventually } from "../emulator/support/eventually";
import { controlPlaneAlone, FOLLOW_MS } from "../engine/support/controlPlaneLife";
import { type EngineWorld, startEngineWorld } from "../engine/support/engineWorld";
import { killedWhile } from "../engine/support/killedWhile";
import { lifeSteps } from "../engine/support/lifeSteps";
import { statusOf } from "../engine/support/statusOf";
import { terminateMachine } from "../engine/support/terminateMachine";
import { snapshotTo } from "./support/snapshotTo";

const SPREAD = { "1": "a", "2": "b", "3": "a" };

// One cluster's life: each test goes on where the one before it ended.
describe("a restore of three control plane machines, by the real engine", () => {
  const step = lifeSteps();
  let world: EngineWorld;
  let folder: string;
  let snapshot: string;
  /** The lines that the last restore said. */
  let told: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "talos-aws-restore-"));
    snapshot = join(folder, "etcd.snapshot");
    world = await startEngineWorld({
      program: () => {
        const { endpoint, nodes, talosconfig, kubeconfig } = new TalosCluster("c", {
          ...controlPlaneAlone,
          protect: true,
          network: { zones: ["us-east-1a", "us-east-1b"] },
          controlPlane: {
            machineCount: 3,
            machines: Object.fromEntries(
              Object.entries(SPREAD).map(([key, zone]) => [key, { zone: `us-east-1${zone}` }]),
            ),
          },
          workerPools: { w: { machineCount: 1, zones: ["us-east-1a"] } },
        });
        return Promise.resolve({ endpoint, nodes, talosconfig, kubeconfig });
      },
    });
    await world.stack.up(world.record);
  });

  afterAll(async () => {
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  });

  step("brings back what the snapshot contains", async () => {
    await store("before");
    const taken = await snapshotTo({ world }, snapshot);
    expect(taken.machine).toBe("c-control-plane-1");
    await store("after");
  });

  step("is rejected while etcd has its majority", async () => {
    const refused = await restore().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(CommandFailure);
    expect(String(refused)).toContain("etcd has its majority (");
    expect(await stored()).toEqual(["after", "before"]);
  });

  step("replaces all three terminated machines", async () => {
    await terminate("c-control-plane-1", "c-control-plane-2", "c-control-plane-3");
    const said = await restore();
    expect(said).toContain("recreated: c-control-plane-1, c-control-plane-2, c-control-plane-3");
    for (const words of ["etcd of local is restored", "Delete the snapshot: "]) {
      expectDocumented("backup.md", said.split("\n").find((line) => line.startsWith(words)) ?? "");
    }
    expect(await stored()).toEqual(["before"]);
    await eventually(async () => {
      const { verdict, problems, notes } = await statusOf(world.stack);
      expect({ verdict, problems }).toEqual({ verdict: "healthy", problems: [] });
      expect(notes.join()).toContain("discovery still remembers");
    }, FOLLOW_MS);
  });

  step("is rejected for an invalid snapshot, before anything changes", async () => {
    const file = join(folder, "nothing");
    writeFileSync(file, "nothing");
    const refused = await restore({ snapshot: { path: file } }).catch((error: unknown) => error);
    expect(String(refused)).toContain("it is not an etcd database");
  });

  step("continues after an interruption while it wipes the remaining machine", async () => {
    await store("later");
    await terminate("c-control-plane-1", "c-control-plane-2");
    const cut = new AbortController();
    const timer = setInterval(() => {
      if (world.emulator.nodes().some(({ stage }) => stage === "rebooting")) {
        cut.abort();
      }
    }, 5);
    const failure = await restore({}, cut.signal).catch((error: unknown) => error);
    clearInterval(timer);
    expect(cut.signal.aborted).toBe(true);
    expect(failure).toBeInstanceOf(Error);
    const plan = told.slice(told.findIndex((line) => line.includes("etcd restarts from")));
    expectDocumented("backup.md", plan.slice(0, 5).join("\n"));
    expect((await target()).begun?.phase).toBe("wiping");
    // Nobody goes on with it unknowingly, and nothing is made of it.
    const warned: string[] = [];
    const up = world.stack.up({
      onOutput: (text) => warned.push(text),
      target: [(await target()).bootstrap],
    });
    await expect(up).rejects.toThrow();
    expect(warned.join("")).toContain("machines may still hold the old etcd: continue it with");
  });

  step("continues after the engine was killed after the bootstrap", async () => {
    const calls = () => world.emulator.nodes().reduce((sum, node) => sum + node.bootstrapCalls, 0);
    await killedWhile(
      (_, stack) => restore({}, new AbortController().signal, stack),
      () => calls() > 0,
      world,
    );
    expect((await target()).begun?.phase).toBe("recovering");
    const said = await restore();
    expect(said).toContain("no machine holds the old etcd any more: it continues");
    expect(calls()).toBe(1);
    expect(await stored()).toEqual(["before"]);
    expect((await target()).begun).toBeUndefined();
    expect(JSON.stringify(await world.stack.exportStack())).not.toContain(snapshot);
  });

  step("wipes running machines on request, and replaces none", async () => {
    await store("last");
    const ids = world.emulator.nodes().map(({ instanceId }) => instanceId);
    const said = await restore({ discardRunningEtcd: true });
    expect(said).toContain(
      "wiped: etcd, images and logs of c-control-plane-1, c-control-plane-2, c-control-plane-3",
    );
    expect(await stored()).toEqual(["before"]);
    expect(world.emulator.nodes().map(({ instanceId }) => instanceId)).toEqual(ids);
    const { changeSummary } = await world.stack.preview(world.record);
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  });

  const target = async () => restoreTarget("local", await world.stack.exportStack());

  async function restore(
    more: Partial<RestoreRequest> = {},
    signal = new AbortController().signal,
    stack = world.stack,
  ): Promise<string> {
    const { apply } = await planStackRepair(stack);
    await apply({ color: "never", onOutput: () => undefined });
    const said: string[] = [];
    const tell = (text: string) => void said.push(text);
    told = [];
    const done = await restoreCluster(
      stack,
      {
        snapshot: { path: snapshot },
        discardRunningEtcd: false,
        acceptOtherCluster: false,
        ...more,
      },
      {
        note: (line) => tell(`${line}\n`),
        say: (line) => {
          told.push(...line.split("\n"));
          tell(`${line}\n`);
        },
        write: (text) => tell(text),
        color: false,
        confirm: () => Promise.resolve(true),
      },
      signal,
    );
    expect(done).toBe(true);
    return said.join("");
  }

  async function terminate(...names: string[]): Promise<void> {
    const { machines } = await target();
    const ids = machines.filter(({ name }) => names.includes(name)).map((each) => each.machineId);
    await Promise.all(ids.map((id) => terminateMachine(world, id)));
    await eventually(() => {
      expect(world.emulator.nodes().filter(({ instanceId }) => ids.includes(instanceId))).toEqual(
        [],
      );
    }, FOLLOW_MS);
  }

  /** Stores a ConfigMap in Kubernetes. */
  async function store(name: string): Promise<void> {
    await kubernetes("POST", "/api/v1/namespaces/default/configmaps", {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name },
      data: { word: name },
    });
  }

  async function stored(): Promise<string[]> {
    const list = (await kubernetes("GET", "/api/v1/namespaces/default/configmaps")) as {
      items: { metadata: { name: string } }[];
    };
    return list.items
      .map(({ metadata }) => metadata.name)
      .filter((name) => name !== "kube-root-ca.crt");
  }

  async function kubernetes(method: string, path: string, body?: object): Promise<unknown> {
    const { kubeconfig = "", machines } = await target();
    const { clusters, users } = parse(kubeconfig) as {
      clusters: { cluster: Record<string, string> }[];
      users: { user: Record<string, string> }[];
    };
    const decode = (text = "") => Buffer.from(text, "base64");
    const url = new URL(clusters[0]?.cluster.server ?? "");
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          method,
          path,
          host: machines[0]?.node,
          port: 6443,
          servername: url.hostname,
          ca: decode(clusters[0]?.cluster["certificate-authority-data"]),
          cert: decode(users[0]?.user["client-certificate-data"]),
          key: decode(users[0]?.user["client-key-data"]),
        },
        (response) => {
          let text = "";
          response.on("data", (part: Buffer) => (text += part.toString()));
          response.on("end", () => resolve(JSON.parse(text)));
        },
      );
      sent.on("error", reject);
      sent.end(body && JSON.stringify(body));
    });
  }
});
