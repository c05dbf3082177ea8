import { recordedStack } from "../../cli/repair/pendingOperations";
import { TalosCluster, type TalosClusterArgs } from "../../components";
import { KubernetesApi, type KubernetesRequest } from "../../provider/kubernetes/kubernetesApi";
import { type EngineWorld, startEngineWorld } from "../engine/support/engineWorld";
import { killedWhile } from "../engine/support/killedWhile";
import { lifeSteps } from "../engine/support/lifeSteps";
import { storedResources } from "../engine/support/storedResources";

const configMap = (name: string, value: string, namespace = "default") =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}}\ndata: {value: ${value}}\n`;
const place = (name: string, namespace = "default") =>
  `/api/v1/namespaces/${namespace}/configmaps/${name}`;
const INVENTORY = place("pulumi-talos-aws-objects-cluster", "kube-system");

interface Found {
  readonly metadata: { readonly uid: string };
  readonly data?: Readonly<Record<string, string>>;
}

// One cluster's life. The object that comes last waits for its namespace, so each kill comes before it.
describe("an engine that is killed inside an apply of objects", () => {
  const step = lifeSteps();
  let world: EngineWorld;
  let vpcRange = "";
  let change: Pick<TalosClusterArgs, "manifests"> = {};
  let uid: string | undefined;

  beforeAll(async () => {
    world = await startEngineWorld({
      prepare: (emulator) => {
        ({ vpcRange } = emulator);
        return Promise.resolve();
      },
      program: () => {
        const { kubeconfig } = new TalosCluster("c", {
          environment: "local",
          domain: "talos.example",
          talosVersion: "v1.14.1",
          versionContract: "v1.14",
          kubernetesVersion: "v1.35.0",
          operatorCidrs: ["127.0.0.0/8"],
          dns: { createZone: true },
          applySettledSeconds: 0,
          network: { cidrBlock: vpcRange, zones: ["us-east-1a"] },
          controlPlane: { machineCount: 1 },
          machineConfiguration: { allowSchedulingOnControlPlanes: true },
          ...change,
        });
        return Promise.resolve({ kubeconfig });
      },
    });
    await world.stack.up(world.record);
  });
  afterAll(() => world.close());

  const send = async (request: KubernetesRequest) => {
    const { kubeconfig } = await world.stack.outputs();
    const [{ address } = { address: "" }] = world.emulator.nodes();
    const api = new KubernetesApi(String(kubeconfig?.value));
    return api.send(request, { address, port: 6443, timeoutMs: 5_000 });
  };
  const find = async (path: string) => {
    try {
      return JSON.parse(await send({ method: "GET", path })) as Found;
    } catch {
      return undefined;
    }
  };
  const makeNamespace = (name: string) =>
    send({
      method: "POST",
      path: "/api/v1/namespaces",
      body: { apiVersion: "v1", kind: "Namespace", metadata: { name } },
    });
  const want = (...texts: readonly string[]) => {
    change = { manifests: texts.map((contents, index) => ({ name: `m-${index}`, contents })) };
  };
  const killedAfter = (told: string) =>
    killedWhile(
      (options, stack) => stack.up(options),
      ({ diagnosticEvent }) => diagnosticEvent?.message.includes(told) === true,
      world,
    );
  const isSettled = async (listed: readonly string[]) => {
    expect(Object.keys((await find(INVENTORY))?.data ?? {}).sort()).toEqual([...listed].sort());
    expect(JSON.stringify((await find(INVENTORY)) ?? {})).not.toContain("unfinished");
    const { changeSummary } = await world.stack.preview(world.record);
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  };
  const lists = async () =>
    (await storedResources(world.stack)).filter(({ type }) => type.endsWith("KubernetesObjects"));

  step("finishes a first create that was killed after its first object", async () => {
    want(configMap("one", "a"), configMap("late", "a", "nowhere"));
    await killedAfter("ConfigMap default/one: created");
    expect(await lists()).toEqual([]);
    // By it, `talos-aws destroy` knows that a Karpenter was being created.
    const { pending } = recordedStack(await world.stack.exportStack());
    expect(pending.map(({ resource }) => resource.inputs?.inventory)).toContain("cluster");
    ({ uid } = (await find(place("one")))?.metadata ?? {});
    expect(uid).toBeDefined();
    await makeNamespace("nowhere");
    await world.stack.up(world.record);
    expect((await find(place("one")))?.metadata.uid).toBe(uid);
    expect(await find(place("late", "nowhere"))).toBeDefined();
    expect(await lists()).toHaveLength(1);
    await isSettled(["default_one__ConfigMap", "nowhere_late__ConfigMap"]);
  });

  step("finishes an update that was killed before its last object, and then deletes", async () => {
    want(configMap("one", "b"), configMap("two", "b"), configMap("far", "b", "elsewhere"));
    await killedAfter("ConfigMap default/two: created");
    // Nothing goes before all is there.
    expect(await find(place("late", "nowhere"))).toBeDefined();
    await makeNamespace("elsewhere");
    await world.stack.up(world.record);
    expect(await find(place("one"))).toMatchObject({ metadata: { uid }, data: { value: "b" } });
    expect(await find(place("late", "nowhere"))).toBeUndefined();
    const names = ["default_one__ConfigMap", "default_two__ConfigMap", "elsewhere_far__ConfigMap"];
    await isSettled(names);
  });

  step("deletes all of a list whose killed update leaves the program with it", async () => {
    want(configMap("one", "c"), configMap("three", "c"), configMap("gone", "c", "never"));
    await killedAfter("ConfigMap default/three: created");
    change = {};
    await world.stack.up(world.record);
    for (const path of [place("one"), place("two"), place("three"), place("far", "elsewhere")]) {
      expect(await find(path)).toBeUndefined();
    }
    expect(await lists()).toEqual([]);
    await isSettled([]);
    expect(await find(INVENTORY)).toBeUndefined();
  });
});
