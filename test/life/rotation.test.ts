import { parse } from "yaml";
import { TalosCluster, type TalosClusterArgs } from "../../components";
import type { EmulatedNode } from "../../emulator";
import type { Rotation } from "../../provider";
import { TalosClient } from "../../provider/api/talosClient";
import type { ClientCredentials } from "../../provider/pki/clientCredentials";
import type { CertificateAndKey, SecretsBundle } from "../../provider/pki/secretsBundle";
import { signServiceAccountToken } from "../emulator/support/signServiceAccountToken";
import { askEndpoint } from "../engine/support/askEndpoint";
import { askWithToken } from "../engine/support/askWithToken";
import { controlPlaneAlone } from "../engine/support/controlPlaneLife";
import { type EngineWorld, startEngineWorld } from "../engine/support/engineWorld";
import { killedWhile } from "../engine/support/killedWhile";
import { lifeSteps } from "../engine/support/lifeSteps";
import { plannedSteps, takenSteps } from "../engine/support/plannedSteps";
import { Probe } from "../engine/support/probe";
import { readTree } from "../engine/support/readTree";
import { formsOf } from "../engine/support/secretForms";
import { outputsIn, storedResources } from "../engine/support/storedResources";

/** What the Kubernetes API tells of nodes. */
interface NodeList {
  readonly items: readonly {
    readonly status: { readonly conditions: readonly { type: string; status: string }[] };
  }[];
}

/** What opens the two APIs, as people would have fetched it. */
interface Access {
  readonly kubeconfig: string;
  readonly talosconfig: string;
}

/** What Talos names as the issuer of service account tokens: the cluster's endpoint. */
const ISSUER = "https://k8s.local.talos.example:6443";

const isControlPlane = ({ machineConfiguration = "" }: EmulatedNode) =>
  machineConfiguration.includes("type: controlplane");

// One cluster's life: each step goes on where the one before it ended.
describe("a rotation of the Talos and the Kubernetes CA, by the real engine", () => {
  const step = lifeSteps();
  let world: EngineWorld;
  let args: TalosClusterArgs;
  /** What was fetched before the rotation, after its first stage, and the last time. */
  let first: Access;
  let accepted: Access;
  let latest: Access;
  /** What machines were configured with, and people were given. */
  const secrets: string[] = [];

  beforeAll(async () => {
    args = {
      ...controlPlaneAlone,
      talosVersion: "v1.14.1",
      network: { zones: ["us-east-1a"] },
      controlPlane: { machineCount: 3 },
      workerPools: { apps: { machineCount: 1 } },
    };
    world = await startEngineWorld({
      program: () => {
        const { nodes, kubeconfig, talosconfig } = new TalosCluster("c", args);
        return Promise.resolve({ nodes, kubeconfig, talosconfig });
      },
    });
    await world.stack.up(world.record);
    first = await fetchAccess();
    latest = first;
  });

  afterAll(() => world.close());

  async function fetchAccess(): Promise<Access> {
    const outputs = outputsIn(await storedResources(world.stack));
    const [kubeconfig = "", talosconfig = ""] = ["kubeconfig", "talosconfig"].map((name) => {
      const { plaintext } = outputs[name] as { readonly plaintext: string };
      return JSON.parse(plaintext) as string;
    });
    secrets.push(kubeconfig, talosconfig);
    secrets.push(...world.emulator.nodes().map((node) => node.machineConfiguration ?? ""));
    return { kubeconfig, talosconfig };
  }

  const rotate = (rotation: Rotation | undefined) => {
    const { rotation: _, ...rest } = args;
    args = rotation === undefined ? rest : { ...rest, rotation };
  };

  /** Asks the load balancer's API server for nodes; a kubelet that it refuses doesn't report. */
  async function askKubernetes(kubeconfig: string): Promise<void> {
    const { items } = JSON.parse(await askEndpoint(world, kubeconfig, "/api/v1/nodes")) as NodeList;
    const statuses = items.flatMap(({ status }) =>
      status.conditions.filter(({ type }) => type === "Ready").map(({ status: is }) => is),
    );
    expect(statuses).toEqual(["True", "True", "True", "True"]);
  }

  /** Asks every machine for its version, workers through the first of the control plane. */
  async function askTalos(
    talosconfig: string,
    isAsked: (node: EmulatedNode) => boolean = () => true,
  ): Promise<void> {
    const { contexts } = parse(talosconfig) as { contexts: Record<string, ClientCredentials> };
    const [credentials = { ca: "", crt: "", key: "" }] = Object.values(contexts);
    const endpoint = world.emulator.nodes().find(isControlPlane)?.address ?? "";
    for (const node of world.emulator.nodes().filter(isAsked)) {
      const client = TalosClient.connect({
        endpoint: isControlPlane(node) ? node.address : endpoint,
        node: node.address,
        credentials,
      });
      try {
        await client.version();
      } finally {
        client.close();
      }
    }
  }

  /** Runs the engine while both APIs are asked all the time with what was fetched last. */
  async function upWhileAsked(options: object = {}): Promise<void> {
    const { kubeconfig, talosconfig } = latest;
    const probes = [
      new Probe(() => askKubernetes(kubeconfig)),
      new Probe(() => askTalos(talosconfig)),
    ];
    try {
      await world.stack.up({ ...world.record, ...options });
    } finally {
      for (const { answers, failures } of await Promise.all(probes.map((each) => each.stop()))) {
        expect(failures).toEqual([]);
        expect(answers).toBeGreaterThan(10);
      }
    }
    latest = await fetchAccess();
  }

  async function refusal(): Promise<string> {
    const failure: unknown = await world.stack
      .preview(world.record)
      .catch((error: unknown) => error);
    return String(failure);
  }

  const accept = { to: 2, stage: "accept" } as const;
  const issue = { to: 2, stage: "issue" } as const;
  const renew = { to: 2, stage: "renew" } as const;
  const drop = { to: 2, stage: "drop" } as const;

  step("is rejected in the preview if it skips a stage", async () => {
    rotate({ talosCa: issue });
    expect(await refusal()).toContain(
      "the Talos CA was never rotated, and {to: 2, stage: issue} skips a stage: set {to: 2, stage: accept} to continue",
    );
  });

  step("can be reverted before anything is issued, and leaves nothing", async () => {
    const configurations = () => world.emulator.nodes().map((node) => node.machineConfiguration);
    const before = configurations();
    rotate({ talosCa: accept });
    await world.stack.up(world.record);
    expect(configurations()).not.toEqual(before);
    rotate(undefined);
    await world.stack.up(world.record);
    expect(configurations()).toEqual(before);
    const types = (await storedResources(world.stack)).map(({ type }) => type);
    expect(types.filter((type) => type.includes(":Rotat"))).toEqual([]);
    await askTalos(first.talosconfig);
  });

  step("first makes machines accept both, as previewed", async () => {
    rotate({ talosCa: accept, kubernetesCa: accept });
    const told: string[] = [];
    const steps = await plannedSteps(world.stack, {
      onEvent: ({ diagnosticEvent }) => told.push(diagnosticEvent?.message ?? ""),
    });
    expect(steps).toEqual([
      "create RotatedAuthority c-kubernetes-ca-2",
      "create RotatedAuthority c-talos-ca-2",
      "create RotationGate c-rotation",
      "update ClientConfiguration c-access",
      "update ClientConfiguration c-client",
      "update ClusterHealth c-health",
      "update ClusterKubeconfig c-kubeconfig",
      ...["c-apps-1", "c-control-plane-1", "c-control-plane-2", "c-control-plane-3"].map(
        (name) => `update ConfigurationApply ${name}`,
      ),
      ...[1, 2, 3].map((key) => `update EtcdMember c-control-plane-${key}`),
      "update MachineConfiguration c-apps",
      "update MachineConfiguration c-control-plane",
    ]);
    expect(told.join("")).toContain(
      'rotation of the Talos CA to generation 2, stage "accept": machines accept the new one beside the old one, which still issues. The next stage is "issue"',
    );
    await upWhileAsked();
    accepted = latest;
    await askTalos(first.talosconfig);
    await askKubernetes(first.kubeconfig);
    const { changeSummary } = await world.stack.preview({ ...world.record, refresh: true });
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  });

  step("issues with the new ones, also if the engine is killed meanwhile", async () => {
    rotate({ talosCa: issue, kubernetesCa: issue });
    const texts = () => world.emulator.nodes().map((node) => node.machineConfiguration);
    const before = texts();
    const isMoment = () => texts().filter((text, index) => text !== before[index]).length === 1;
    await killedWhile(
      (options, stack) => stack.up({ ...world.record, ...options }),
      isMoment,
      world,
    );
    await askKubernetes(latest.kubeconfig);
    await askTalos(latest.talosconfig);
    rotate({ talosCa: drop, kubernetesCa: issue });
    expect(await refusal()).toContain("The previous stage has not reached this machine");
    // The same of an update without a preview: machines are asked before one is changed.
    const configurations = texts();
    await expect(world.stack.up(world.record)).rejects.toThrow("no machine was changed");
    expect(texts()).toEqual(configurations);
    rotate({ talosCa: issue, kubernetesCa: issue });
    await upWhileAsked();
    await askTalos(accepted.talosconfig);
    await askKubernetes(accepted.kubeconfig);
    // It trusts no machine of the new ones.
    await expect(askTalos(first.talosconfig)).rejects.toThrow("certificate");
  });

  step("drops the old ones", async () => {
    rotate({ talosCa: drop, kubernetesCa: renew });
    await upWhileAsked();
    await askKubernetes(accepted.kubeconfig);
    await expect(askTalos(accepted.talosconfig)).rejects.toThrow();
    rotate({ talosCa: drop, kubernetesCa: drop });
    await upWhileAsked();
    await expect(askKubernetes(accepted.kubeconfig)).rejects.toThrow();
    await askTalos(latest.talosconfig);
    await askKubernetes(latest.kubeconfig);
  });

  /** The rotation of everything else, once the two CAs are the new ones. */
  const others = (stage: "accept" | "issue" | "drop"): Rotation => {
    const each = { to: 2, stage } as const;
    return {
      talosCa: drop,
      kubernetesCa: drop,
      etcdCa: each,
      aggregatorCa: each,
      serviceAccountKey: each,
      secretboxKey: each,
      bootstrapToken: each,
      trustdToken: each,
      discoveryIdentity: each,
    };
  };

  /** The tokens that a service account has of each key, the first one first. */
  async function serviceAccountTokens(): Promise<string[]> {
    const resources = await storedResources(world.stack);
    const textOf = (kind: string, name: string, output: string) => {
      const found = resources.find(
        ({ type, urn }) => type.endsWith(`:${kind}`) && urn.endsWith(`::${name}`),
      );
      const { plaintext = "null" } = (found?.outputs?.[output] ?? {}) as { plaintext?: string };
      return JSON.parse(plaintext) as unknown;
    };
    const bundle = textOf("MachineSecrets", "c-secrets", "secretsBundle") as SecretsBundle;
    const next = textOf("RotatedSecret", "c-service-account-key-2", "value") as string | null;
    const keys = [bundle.certs.k8sserviceaccount.key, ...(next === null ? [] : [next])];
    return keys.map((key) => signServiceAccountToken(key, ISSUER));
  }

  /** Has the API server that the load balancer chooses know the account, which may do nothing. */
  const expectKnown = async (token: string) => {
    expect(await askWithToken(world, token)).toBe(403);
  };

  async function bootstrapTokens(): Promise<readonly string[]> {
    const path = "/api/v1/namespaces/kube-system/secrets";
    const { items } = JSON.parse(await askEndpoint(world, latest.kubeconfig, path)) as {
      readonly items: readonly { readonly metadata: { readonly name: string } }[];
    };
    return items
      .map(({ metadata: { name } }) => name)
      .filter((name) => name.startsWith("bootstrap-"));
  }

  /** Runs the engine while the endpoint is asked; machines reboot meanwhile. */
  async function upWhileServing(...tokens: readonly string[]): Promise<void> {
    const probes = [
      // An API server without a Secret's key answers none of them.
      new Probe(() => askEndpoint(world, latest.kubeconfig, "/api/v1/secrets")),
      ...tokens.map((token) => new Probe(() => expectKnown(token))),
    ];
    try {
      await world.stack.up(world.record);
    } finally {
      for (const { answers, failures } of await Promise.all(probes.map((each) => each.stop()))) {
        expect(failures).toEqual([]);
        expect(answers).toBeGreaterThan(10);
      }
    }
    latest = await fetchAccess();
    await askTalos(latest.talosconfig);
    await askKubernetes(latest.kubeconfig);
  }

  step("makes machines accept another etcd CA, and other keys and tokens", async () => {
    rotate(others("accept"));
    const [first = ""] = await serviceAccountTokens();
    await upWhileServing(first);
    expect(await bootstrapTokens()).toHaveLength(2);
    const [, next = ""] = await serviceAccountTokens();
    await expectKnown(next);
  });

  step("uses the new ones, without a reboot of the control plane", async () => {
    const { talosconfig } = latest;
    const controlPlane = new Probe(() => askTalos(talosconfig, isControlPlane));
    rotate(others("issue"));
    await upWhileServing(...(await serviceAccountTokens()));
    const { answers, failures } = await controlPlane.stop();
    expect(failures).toEqual([]);
    expect(answers).toBeGreaterThan(10);
    expect(await bootstrapTokens()).toHaveLength(2);
  });

  step("rejects the old ones at last", async () => {
    rotate(others("drop"));
    const [first = "", next = ""] = await serviceAccountTokens();
    await upWhileServing(next);
    expect(await bootstrapTokens()).toHaveLength(1);
    expect(await askWithToken(world, first)).toBe(401);
  });

  step("is complete: no change is left, and no stage can be reverted", async () => {
    const { changeSummary } = await world.stack.preview({ ...world.record, refresh: true });
    expect(Object.keys(changeSummary)).toEqual(["same"]);
    rotate(undefined);
    expect(await refusal()).toContain(
      "the Talos CA has reached {to: 2, stage: drop} and can't go back to the first generation",
    );
  });

  step("shows no secret, and records none in clear", async () => {
    const made = (await storedResources(world.stack)).filter(({ type }) =>
      type.endsWith(":RotatedAuthority"),
    );
    expect(made).toHaveLength(4);
    const keys = made.map(({ outputs = {} }) => {
      const { plaintext } = outputs.certificateAuthority as { readonly plaintext: string };
      return (JSON.parse(plaintext) as CertificateAndKey).key;
    });
    const values = (await storedResources(world.stack)).flatMap(({ type, outputs = {} }) => {
      const { plaintext } = (outputs.value ?? {}) as { readonly plaintext?: string };
      return type.endsWith(":RotatedSecret") ? [JSON.parse(plaintext ?? "") as string] : [];
    });
    expect(values).toHaveLength(5);
    // Of an identity, machines have the secret without the id.
    keys.push(...values, ...values.map((value) => value.split(".").at(-1) ?? ""));
    for (const text of secrets) {
      const found = text.matchAll(/key(?:-data)?: "?([A-Za-z0-9+/=]{40,})/g);
      keys.push(...[...found].map(([, value = ""]) => value));
    }
    const shown = [world.transcript(), ...readTree(world.stateDir).map(({ text }) => text)];
    for (const form of new Set(keys.flatMap(formsOf))) {
      expect(shown.some((text) => text.includes(form))).toBe(false);
    }
  });

  step("allows the destruction of the cluster", async () => {
    rotate(others("drop"));
    const { steps } = await takenSteps(world.stack, world.record);
    expect(steps).toEqual([]);
    await world.stack.destroy(world.record);
  });
});
