import { DisableOutboundWebIdentityFederationCommand, IAMClient } from "@aws-sdk/client-iam";
import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { type ClusterAccessArgs, TalosCluster, type TalosClusterArgs } from "../../components";
import { KubernetesApi, type KubernetesRequest } from "../../provider/kubernetes/kubernetesApi";
import { eventually } from "../emulator/support/eventually";
import { type EngineWorld, startEngineWorld } from "./support/engineWorld";
import { killedWhile } from "./support/killedWhile";
import { lifeSteps } from "./support/lifeSteps";
import { personOf, tokenFor } from "./support/logIn";
import { storedResources } from "./support/storedResources";

const DAEMON = "/apis/apps/v1/namespaces/kube-system/daemonsets/node-problem-detector";
const KEY = "/api/v1/namespaces/shop/secrets/key";
const INVENTORY = "/api/v1/namespaces/kube-system/configmaps/pulumi-talos-aws-objects-cluster";
const WIDGET = "/apis/example.com/v1/namespaces/shop/widgets/one";

const FLUX_KEY = "/api/v1/namespaces/flux-system/secrets/cluster-key";
const REPOSITORY =
  "/apis/source.toolkit.fluxcd.io/v1/namespaces/flux-system/gitrepositories/cluster";
const KUSTOMIZATION =
  "/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/flux-system/kustomizations/cluster";
const KARPENTER = "/apis/apps/v1/namespaces/kube-system/deployments/karpenter";
const nodePool = (name: string) => `/apis/karpenter.sh/v1/nodepools/${name}`;
const nodeClass = (name: string) => `/apis/karpenter.k8s.aws/v1/ec2nodeclasses/${name}`;
const RECONCILER = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/cluster-reconciler";

const fluxWith = (password: string) => ({
  url: "https://github.com/example/fleet",
  path: "clusters/production",
  key: { password: pulumi.secret(password) },
});

/** A namespace, a definition and their objects, in no good order. */
const contents = (value: string) => `apiVersion: example.com/v1
kind: Widget
metadata: {name: one, namespace: shop}
---
apiVersion: v1
kind: Secret
metadata: {name: key, namespace: shop}
stringData: {value: ${value}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget}
  versions: [{name: v1, served: true, storage: true}]
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
`;

const DEVELOPERS = "arn:aws:iam::123456789012:role/teams/Developers";
const BINDING =
  "/apis/rbac.authorization.k8s.io/v1/namespaces/shop/rolebindings/access:deployers:edit";

const accessBy = (tokens: aws.iam.OutboundWebIdentityFederation): ClusterAccessArgs => ({
  aws: { issuerUrl: tokens.issuerIdentifier, roles: { [DEVELOPERS]: ["deployers"] } },
  groups: { deployers: { clusterRole: "edit", namespaces: ["shop"] } },
});

interface Found {
  readonly metadata: { readonly uid: string; readonly generation?: number };
  readonly data?: Readonly<Record<string, string>>;
}

// One cluster's life: each step goes on where the one before it ended.
describe("objects after the bootstrap, and logins, by the real engine", () => {
  const step = lifeSteps();
  let world: EngineWorld;
  let vpcRange = "";
  let change: Partial<TalosClusterArgs> = {};
  let uid = "";
  let hasAccess = false;

  beforeAll(async () => {
    world = await startEngineWorld({
      prepare: (emulator) => {
        ({ vpcRange } = emulator);
        return Promise.resolve();
      },
      program: () => {
        const { kubeconfig, accessKubeconfig } = new TalosCluster("c", {
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
          addOns: { nodeProblemDetector: true },
          ...change,
          ...(hasAccess && {
            access: accessBy(new aws.iam.OutboundWebIdentityFederation("tokens")),
          }),
        });
        return Promise.resolve({ kubeconfig, accessKubeconfig });
      },
    });
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
  const objectsResource = async () =>
    (await storedResources(world.stack)).find(({ type }) => type.endsWith("KubernetesObjects"));
  const up = (refresh = false) => world.stack.up({ ...world.record, refresh });

  step("are in the configuration by default", async () => {
    await up();
    uid = (await find(DAEMON))?.metadata.uid ?? "";
    expect(uid).not.toBe("");
    expect(await objectsResource()).toBeUndefined();
  });

  step("are taken over from Talos, and none is recreated", async () => {
    change = {
      addOnDelivery: "afterBootstrap",
      manifests: [{ name: "shop", contents: contents("hunter2") }],
    };
    await up();
    expect(await find(DAEMON)).toMatchObject({
      metadata: {
        uid,
        generation: 1,
        annotations: { "config.k8s.io/owning-inventory": "pulumi-talos-aws-objects-cluster" },
      },
    });
    expect(await find(WIDGET)).toBeDefined();
    const state = JSON.stringify(await objectsResource());
    expect(state).toContain("Secret shop/key");
    expect(state).not.toContain("hunter2");
    const { changeSummary } = await world.stack.preview({ ...world.record });
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  });

  step("are repaired after a refresh, each by name", async () => {
    await send({
      method: "PATCH",
      path: `${DAEMON}?fieldManager=kubectl-edit`,
      contentType: "application/merge-patch+json",
      body: { metadata: { labels: { "app.kubernetes.io/name": "theirs" } } },
    });
    await send({ method: "DELETE", path: KEY });
    await up(true);
    expect(await find(KEY)).toBeDefined();
    expect(await find(DAEMON)).toMatchObject({
      metadata: { uid, labels: { "app.kubernetes.io/name": "node-problem-detector" } },
    });
    expect(world.transcript()).toContain("Secret shop/key: created");
  });

  step("change and disappear with their list; the secret is nowhere in clear", async () => {
    change = { ...change, manifests: [{ name: "shop", contents: contents("swordfish") }] };
    await up();
    const { data } = (await find(KEY)) ?? {};
    expect(Buffer.from(data?.value ?? "", "base64").toString()).toBe("swordfish");
    expect(world.transcript()).not.toMatch(/hunter2|swordfish/);
  });

  /** Kills the engine once it has told of an object; the next one waits for a namespace that nobody makes. */
  const killedAfter = (told: string) =>
    killedWhile(
      (options, stack) => stack.up(options),
      ({ diagnosticEvent }) => diagnosticEvent?.message.includes(told) === true,
      world,
    );
  const late = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: late, namespace: nowhere}\n";

  step("are as before where a killed update is taken back, without a refresh", async () => {
    const former = change;
    change = {
      ...change,
      manifests: [{ name: "shop", contents: `${contents("salmon")}---\n${late}` }],
    };
    await killedAfter("Secret shop/key: changed");
    expect(JSON.stringify(await find(INVENTORY))).toContain("unfinished");
    change = former;
    await up();
    const { data } = (await find(KEY)) ?? {};
    expect(Buffer.from(data?.value ?? "", "base64").toString()).toBe("swordfish");
    expect(JSON.stringify(await find(INVENTORY))).not.toContain("unfinished");
  });

  step("go back to Talos, and none is recreated", async () => {
    change = {};
    await up();
    expect((await find(DAEMON))?.metadata.uid).toBe(uid);
    expect(await find(KEY)).toBeUndefined();
    expect(await find("/api/v1/namespaces/shop")).toBeDefined();
    expect(await objectsResource()).toBeUndefined();
    const { changeSummary } = await world.stack.preview({ ...world.record });
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  });

  step("go where the first create was killed, and the program has no list any more", async () => {
    change = {
      addOnDelivery: "afterBootstrap",
      manifests: [{ name: "shop", contents: `${contents("hunter2")}---\n${late}` }],
    };
    await killedAfter("Secret shop/key: created");
    expect(await objectsResource()).toBeUndefined();
    expect(await find(KEY)).toBeDefined();
    change = {};
    await up();
    expect(await find(KEY)).toBeUndefined();
    expect(await find(INVENTORY)).toBeUndefined();
    expect((await find(DAEMON))?.metadata.uid).toBe(uid);
    expect(await objectsResource()).toBeUndefined();
    const { changeSummary } = await world.stack.preview({ ...world.record });
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  });

  step("of Flux follow its definitions, which Talos brings, and keep the key secret", async () => {
    change = { addOns: { nodeProblemDetector: true, flux: fluxWith("hunter3") } };
    await up();
    expect(await find(KUSTOMIZATION)).toMatchObject({ spec: { deletionPolicy: "Orphan" } });
    change = { addOns: { nodeProblemDetector: true, flux: fluxWith("hunter4") } };
    await up();
    const { data } = (await find(FLUX_KEY)) ?? {};
    expect(Buffer.from(data?.password ?? "", "base64").toString()).toBe("hunter4");
    expect(world.transcript()).not.toMatch(/hunter[34]/);
    // The whole state, in clear where it is no secret.
    expect(JSON.stringify(await storedResources(world.stack))).not.toMatch(/hunter[34]/);
  });

  step("of Flux go with it, though its controllers are gone by then", async () => {
    // As Flux' controllers do with what they follow.
    for (const path of [KUSTOMIZATION, REPOSITORY]) {
      await send({
        method: "PATCH",
        path,
        contentType: "application/merge-patch+json",
        body: { metadata: { finalizers: ["finalizers.fluxcd.io"] } },
      });
    }
    change = {};
    await up();
    expect(world.transcript()).toMatch(
      /addOns\.flux is left out: nothing of the repository's content/,
    );
    for (const path of [KUSTOMIZATION, REPOSITORY, FLUX_KEY, RECONCILER]) {
      expect(await find(path)).toBeUndefined();
    }
    expect(await find("/api/v1/namespaces/flux-system")).toBeDefined();
    expect(await objectsResource()).toBeUndefined();
  });

  const accessKubeconfig = async () =>
    String((await world.stack.outputs()).accessKubeconfig?.value ?? "");
  const seenIn = async (token: string) => personOf(world, await accessKubeconfig(), token);
  const developers = {
    username: `aws:${DEVELOPERS}`,
    groups: ["deployers", "system:authenticated"],
  };

  step("let a role log in with a token of AWS, and nobody else", async () => {
    change = {};
    hasAccess = true;
    await up();
    const kubeconfig = await accessKubeconfig();
    const [theirs, other] = await Promise.all([
      tokenFor(world, kubeconfig, DEVELOPERS),
      tokenFor(world, kubeconfig),
    ]);
    expect(await seenIn(theirs)).toEqual(developers);
    expect(await seenIn(other)).toBeUndefined();
    expect(await find(BINDING)).toMatchObject({ subjects: [{ kind: "Group", name: "deployers" }] });
    const { changeSummary } = await world.stack.preview({ ...world.record, refresh: true });
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  });

  step("follow the issuer, which somebody has disabled meanwhile", async () => {
    const iam = new IAMClient({
      ...{ region: "us-east-1", endpoint: world.emulator.url },
      credentials: { accessKeyId: "emulator", secretAccessKey: "emulator" },
    });
    await iam.send(new DisableOutboundWebIdentityFederationCommand({}));
    iam.destroy();
    const kubeconfig = await accessKubeconfig();
    await expect(tokenFor(world, kubeconfig, DEVELOPERS)).rejects.toThrow(
      /this AWS account issues no tokens: .*iam:EnableOutboundWebIdentityFederation/,
    );
    await up(true);
    expect(await seenIn(await tokenFor(world, kubeconfig, DEVELOPERS))).toEqual(developers);
  });

  step("let nobody in when access is taken back, also by an engine that is killed", async () => {
    const token = await tokenFor(world, await accessKubeconfig(), DEVELOPERS);
    const kubeconfig = await accessKubeconfig();
    hasAccess = false;
    await killedWhile(
      (options, stack) => stack.up(options),
      () =>
        !world.emulator.nodes().some((node) => node.machineConfiguration?.includes("tokens.sts.")),
      world,
    );
    await up();
    expect(await personOf(world, kubeconfig, token)).toBeUndefined();
    expect(await find(BINDING)).toBeUndefined();
    expect(await find("/api/v1/namespaces/shop")).toBeDefined();
    expect(await accessKubeconfig()).toBe("");
    const { changeSummary } = await world.stack.preview({ ...world.record, refresh: true });
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  });

  step("of Karpenter's pools go before Karpenter, once their machines are gone", async () => {
    const pools = (names: readonly string[]) =>
      Object.fromEntries(
        names.map((name) => [
          name,
          {
            karpenter: { limits: { vcpus: 8, nodes: 4 } },
            machineConfiguration: { externalCloudProvider: {} },
          },
        ]),
      );
    const addOns = { nodeProblemDetector: true, karpenter: true };
    change = { irsa: true, exposure: "both", addOns, workerPools: pools(["spot", "batch"]) };
    await up();
    expect(await find(nodePool("spot"))).toMatchObject({ spec: { limits: { cpu: "8" } } });
    // As Karpenter does while there are machines.
    const hold = (name: string, finalizers: readonly string[] | null) =>
      send({
        method: "PATCH",
        path: nodeClass(name),
        contentType: "application/merge-patch+json",
        body: { metadata: { finalizers } },
      });
    await hold("spot", ["karpenter.k8s.aws/termination"]);
    change = { irsa: true, exposure: "both", addOns, workerPools: pools(["batch"]) };
    const released = eventually(async () => {
      expect((await find(nodeClass("spot")))?.metadata).toHaveProperty("deletionTimestamp");
      expect(await find(KARPENTER)).toBeDefined();
      await hold("spot", null);
    });
    await Promise.all([up(), released]);
    expect(await find(nodePool("spot"))).toBeUndefined();
    expect(await find(nodePool("batch"))).toBeDefined();
    // The last pool and Karpenter in one update: Karpenter waits for its pool.
    await hold("batch", ["karpenter.k8s.aws/termination"]);
    change = { irsa: true, exposure: "both" };
    const last = eventually(async () => {
      expect((await find(nodeClass("batch")))?.metadata).toHaveProperty("deletionTimestamp");
      expect(await find(KARPENTER)).toBeDefined();
      await hold("batch", null);
    });
    await Promise.all([up(), last]);
    expect(await find(nodeClass("batch"))).toBeUndefined();
    expect(await find(KARPENTER)).toBeUndefined();
    const left = await storedResources(world.stack);
    expect(left.filter(({ urn }) => urn.includes("karpenter"))).toEqual([]);
  });

  step("are not asked for in a destroy of the cluster", async () => {
    change = { irsa: true, exposure: "both", addOnDelivery: "afterBootstrap" };
    await up();
    await world.stack.destroy({ ...world.record });
    expect(await storedResources(world.stack)).toEqual([]);
  });
});
