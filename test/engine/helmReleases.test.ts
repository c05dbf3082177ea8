import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { exportState, importState } from "../../cli/engine/stateOfStack";
import { type HelmReleaseArgs, TalosCluster, type TalosClusterArgs } from "../../components";
import { KubernetesApi, type KubernetesRequest } from "../../provider/kubernetes/kubernetesApi";
import { allEnd, type Process } from "../../scripts/killEngines";
import { type EngineWorld, startEngineWorld } from "./support/engineWorld";
import { killedWhile } from "./support/killedWhile";
import { lifeSteps } from "./support/lifeSteps";
import { storedResources } from "./support/storedResources";

/** Pulumi's Kubernetes plugin. CONTRIBUTING.md says where it comes from. */
const { PULUMI_KUBERNETES_PLUGIN: plugin = "" } = process.env;
if (plugin === "") {
  process.stderr.write(
    "skipped: PULUMI_KUBERNETES_PLUGIN names no plugin of Pulumi for Kubernetes; set it to one to take Helm releases through their life\n",
  );
}

const CONFIG_MAP = "/api/v1/namespaces/shop/configmaps/web";
const HOOK = "/api/v1/namespaces/shop/configmaps/web-hook";
const SERVICE = "/api/v1/namespaces/shop/services/web";
const RECORDS = "/api/v1/namespaces/shop/secrets?labelSelector=owner%3Dhelm";
const RECORD = "/api/v1/namespaces/shop/secrets/sh.helm.release.v1.web.v1";
const ROLE = "/apis/rbac.authorization.k8s.io/v1/clusterroles/web";

const TEMPLATE = `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}}
data: {greeting: {{ .Values.greeting | quote }}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: {{ .Release.Name }}}
rules: [{apiGroups: [""], resources: [configmaps], verbs: [get]}]
{{- if .Values.waits }}
---
apiVersion: v1
kind: Service
metadata: {name: {{ .Release.Name }}}
spec: {type: LoadBalancer, selector: {app: web}, ports: [{port: 80}]}
{{- end }}
{{- if .Values.isBroken }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: no_name}
{{- end }}
`;

const HOOK_TEMPLATE = `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-hook, annotations: {"helm.sh/hook": pre-install}}
`;

interface Found {
  readonly metadata: { readonly uid: string; readonly labels?: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
  readonly items?: readonly Found[];
}

// One cluster's life: each step goes on where the one before it ended.
describe.skipIf(plugin === "")("Helm releases, by the real engine and the real plugin", () => {
  const step = lifeSteps();
  let folder = "";
  let world: EngineWorld;
  let vpcRange = "";
  let helm: Readonly<Record<string, HelmReleaseArgs>> = {};
  let change: Partial<TalosClusterArgs> = {};
  let uid = "";
  let kubeconfig = "";

  const web = (values: object, version = "1.0.0"): HelmReleaseArgs => {
    const chart = join(folder, "web");
    writeFileSync(join(chart, "Chart.yaml"), `{apiVersion: v2, name: web, version: ${version}}`);
    return { chart, namespace: "shop", values: { ...values }, timeoutSeconds: 20 };
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "talos-aws-helm-"));
    mkdirSync(join(folder, "web/templates"), { recursive: true });
    writeFileSync(
      join(folder, "web/values.yaml"),
      "{greeting: hello, isBroken: false, waits: false}",
    );
    writeFileSync(join(folder, "web/templates/objects.yaml"), TEMPLATE);
    writeFileSync(join(folder, "web/templates/hook.yaml"), HOOK_TEMPLATE);
    symlinkSync(plugin, join(folder, "pulumi-resource-kubernetes"));
    vi.stubEnv("PATH", [folder, process.env.PATH].join(delimiter));
    world = await startEngineWorld({
      // Helm finds the cluster by its name.
      usesCloudNames: true,
      environment: { XDG_CACHE_HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
      prepare: (emulator) => {
        ({ vpcRange } = emulator);
        return Promise.resolve();
      },
      program: () => {
        const cluster = new TalosCluster("c", {
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
          helm,
          ...change,
        });
        return Promise.resolve({ kubeconfig: cluster.kubeconfig });
      },
    });
  });

  afterAll(async () => {
    await world.close();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  const send = async (request: KubernetesRequest) => {
    const [{ address } = { address: "" }] = world.emulator.nodes();
    const api = new KubernetesApi(kubeconfig);
    return api.send(request, { address, port: 6443, timeoutMs: 5_000 });
  };
  const find = async (path: string) => {
    try {
      return JSON.parse(await send({ method: "GET", path })) as Found;
    } catch {
      return undefined;
    }
  };
  /** Helm's releases, as `web.v1 deployed`. */
  const records = async () =>
    ((await find(RECORDS))?.items ?? []).map(({ metadata: { labels = {} } }) =>
      [`${labels.name ?? ""}.v${labels.version ?? ""}`, labels.status].join(" "),
    );
  const up = (refresh = false) => world.stack.up({ ...world.record, refresh });
  const changesOf = async () => {
    const { changeSummary } = await world.stack.preview({ ...world.record });
    return Object.keys(changeSummary);
  };

  step("are installed once the cluster is healthy, with their hooks", async () => {
    helm = { web: web({ greeting: pulumi.secret("hunter2") }) };
    expect(await changesOf()).toEqual(["create"]);
    const { outputs } = await up();
    kubeconfig = String(outputs.kubeconfig?.value);
    expect((await find(CONFIG_MAP))?.data).toEqual({ greeting: "hunter2" });
    expect(await find(HOOK)).toBeDefined();
    expect(await records()).toEqual(["web.v1 deployed"]);
    uid = (await find(CONFIG_MAP))?.metadata.uid ?? "";
    const state = JSON.stringify(await storedResources(world.stack));
    expect(state).toContain("kubernetes:helm.sh/v3:Release");
    expect(await changesOf()).toEqual(["same"]);
  });

  step("are upgraded with other values, and the same after a refresh", async () => {
    helm = { web: web({ greeting: pulumi.secret("swordfish") }) };
    await up();
    expect(await find(CONFIG_MAP)).toMatchObject({
      metadata: { uid },
      data: { greeting: "swordfish" },
    });
    expect(await records()).toEqual(["web.v1 superseded", "web.v2 deployed"]);
    await world.stack.refresh(world.record);
    expect(await changesOf()).toEqual(["same"]);
    expect(world.transcript()).not.toMatch(/hunter2|swordfish/);
  });

  step("stay the same with another kubeconfig", async () => {
    change = { kubeconfigLifetimeHours: 24 };
    expect((await changesOf()).sort()).toEqual(["same", "update"]);
    await up();
    expect(await records()).toEqual(["web.v1 superseded", "web.v2 deployed"]);
    expect((await find(CONFIG_MAP))?.metadata.uid).toBe(uid);
  });

  step("are right again after a failed upgrade", async () => {
    helm = { web: web({ greeting: "again", isBroken: true }) };
    await expect(up()).rejects.toThrow(/no_name/);
    helm = { web: web({ greeting: "again" }) };
    await up();
    expect(await find(CONFIG_MAP)).toMatchObject({
      metadata: { uid },
      data: { greeting: "again" },
    });
    expect((await records()).at(-1)).toBe("web.v4 deployed");
    expect(await changesOf()).toEqual(["same"]);
  });

  /** Kills the engine and its plugins while Helm waits for an address of a load balancer, which never comes. */
  const killedWhileHelmWaits = async () => {
    let isWaiting = false;
    const look = setInterval(() => {
      void find(SERVICE).then((found) => {
        isWaiting ||= found !== undefined;
      });
    }, 200);
    const endPlugins = async (plugins: readonly Process[]) => {
      for (const { pid } of plugins) {
        try {
          process.kill(pid, "SIGKILL");
        } catch {
          // It has ended by itself.
        }
      }
      expect(await allEnd(plugins)).toBe(true);
    };
    try {
      await killedWhile(
        (options, stack) => stack.up(options),
        () => isWaiting,
        world,
        endPlugins,
      );
    } finally {
      clearInterval(look);
    }
  };

  step("go on after a killed upgrade", async () => {
    helm = { web: web({ greeting: "again", waits: true }) };
    await killedWhileHelmWaits();
    expect((await records()).at(-1)).toBe("web.v5 pending-upgrade");
    helm = { web: web({ greeting: "after" }) };
    await up();
    expect(world.transcript()).toContain(
      'left the Helm release \\"web\\" in the state pending-upgrade',
    );
    expect((await records()).at(-1)).toBe("web.v5 deployed");
    expect(await find(CONFIG_MAP)).toMatchObject({
      metadata: { uid },
      data: { greeting: "after" },
    });
    expect(await changesOf()).toEqual(["same"]);
    // As after an upgrade that failed, Helm no longer knows what only that one had.
    expect(await find(SERVICE)).toBeDefined();
    await send({ method: "DELETE", path: SERVICE });
  });

  step("move to another namespace with what belongs to the whole cluster", async () => {
    const former = helm;
    helm = { web: { ...web({ greeting: "moved" }), namespace: "stand" } };
    await up();
    expect(await find(CONFIG_MAP)).toBeUndefined();
    expect(await find("/api/v1/namespaces/stand/configmaps/web")).toBeDefined();
    expect(await find(ROLE)).toBeDefined();
    helm = former;
    await up();
    expect(await find(CONFIG_MAP)).toBeDefined();
  });

  step("are uninstalled when they are left out", async () => {
    helm = {};
    await up();
    expect(await find(CONFIG_MAP)).toBeUndefined();
    expect(await find(ROLE)).toBeUndefined();
    expect(await records()).toEqual([]);
    expect(await find("/api/v1/namespaces/shop")).toBeDefined();
    expect(await changesOf()).toEqual(["same"]);
  });

  step("go on after a killed install", async () => {
    helm = { web: web({ greeting: "first", waits: true }) };
    await killedWhileHelmWaits();
    expect(await records()).toEqual(["web.v1 pending-install"]);
    uid = (await find(CONFIG_MAP))?.metadata.uid ?? "";
    helm = { web: web({ greeting: "second" }) };
    await up();
    expect(await find(CONFIG_MAP)).toMatchObject({
      metadata: { uid },
      data: { greeting: "second" },
    });
    expect(await records()).toEqual(["web.v1 deployed"]);
    expect(await changesOf()).toEqual(["same"]);
  });

  step("are taken over as they are when no state has them, once Helm forgets them", async () => {
    const exported = await exportState(world.stack);
    const deployment = exported.deployment as { readonly resources: readonly { type: string }[] };
    const resources = deployment.resources.filter(({ type }) => !type.endsWith(":Release"));
    await importState(world.stack, { ...exported, deployment: { ...deployment, resources } });
    await expect(up()).rejects.toThrow(/cannot re-use a name that is still in use/);
    await send({ method: "DELETE", path: RECORD });
    await up();
    expect((await find(CONFIG_MAP))?.metadata.uid).toBe(uid);
    expect(await records()).toEqual(["web.v1 deployed"]);
  });

  /** Destroys the stack. Returns the types of what is deleted, in that order. */
  const destroy = async () => {
    const deleted: string[] = [];
    await world.stack.destroy({
      onEvent: ({ resOutputsEvent }) => {
        if (resOutputsEvent?.metadata.op === "delete") {
          deleted.push(resOutputsEvent.metadata.type);
        }
      },
    });
    return deleted;
  };
  /** Runs the engine where nothing leads to the cluster's Kubernetes API. */
  const unreachably = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    const { envVars } = world.stack.workspace;
    const more = { HTTPS_PROXY: "http://127.0.0.1:1", PULUMI_K8S_DELETE_UNREACHABLE: "true" };
    world.stack.workspace.envVars = { ...envVars, ...more };
    try {
      return await run();
    } finally {
      world.stack.workspace.envVars = envVars;
    }
  };
  const typesLeft = async () => (await storedResources(world.stack)).map(({ type }) => type);

  step("hold up a destroy while the cluster can't be reached", async () => {
    await expect(unreachably(destroy)).rejects.toThrow(/Helm Release with unreachable cluster/);
    expect(await typesLeft()).toContain("aws:ec2/instance:Instance");
  });

  step("are uninstalled by a destroy before any machine", async () => {
    const deleted = await destroy();
    expect(deleted.slice(0, 2)).toEqual([
      "kubernetes:helm.sh/v3:Release",
      "pulumi:providers:kubernetes",
    ]);
    expect(deleted).toContain("aws:ec2/instance:Instance");
  });

  step(
    "leave the state by a refresh that is told so, while the cluster can't be reached",
    async () => {
      await up();
      await unreachably(() => world.stack.refresh({ target: ["**:Release::**"] }));
      const left = await typesLeft();
      expect(left).not.toContain("kubernetes:helm.sh/v3:Release");
      expect(left).toContain("aws:ec2/instance:Instance");
      expect(await unreachably(destroy)).toContain("aws:ec2/instance:Instance");
    },
  );
});
