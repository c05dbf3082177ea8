import { parse, stringify } from "yaml";
import { TalosClient } from "../../provider/api/talosClient";
import { KubernetesApi } from "../../provider/kubernetes/kubernetesApi";
import type { ClientCredentials } from "../../provider/pki/clientCredentials";
import type { Rotation } from "../../provider/pki/rotation/rotation";
import type { CertificateAndKey, SecretsBundle } from "../../provider/pki/secretsBundle";
import { lifeSteps } from "../engine/support/lifeSteps";
import { storedResources } from "../engine/support/storedResources";
import { describeKubernetesLife } from "./kubernetesLife/describeLife";
import { LifeCluster } from "./kubernetesLife/lifeCluster";
import { beginsChangeOf } from "./kubernetesLife/lifeStack";
import { addressOf, type LifeWish, machinesOf } from "./kubernetesLife/lifeWish";
import {
  askWithToken,
  awaitWorkloads,
  makeWorkloads,
  requestToken,
  restartPods,
  tokenOfPod,
} from "./kubernetesLife/workloads";
import { callEtcd, storedInEtcd } from "./support/etcdAccess";
import { LAB } from "./support/labRelease";

const wish: LifeWish = {
  controlPlanes: ["cp1", "cp2", "cp3"],
  workers: ["w1", "w2"],
  kubernetesVersion: LAB.kubernetes.former,
};

type Others = "accept" | "issue" | "drop";

/** Everything at once, as a person may who begins early and does it once a year. */
const rotationOf = (others: Others, kubernetesCa: Others | "renew"): Rotation => {
  const each = { to: 2, stage: others } as const;
  return {
    talosCa: each,
    etcdCa: each,
    serviceAccountKey: each,
    secretboxKey: each,
    bootstrapToken: each,
    trustdToken: each,
    kubernetesCa: { to: 2, stage: kubernetesCa },
  };
};

/** All access to a cluster that a rotation ends. */
interface OldAccess {
  readonly credentials: ClientCredentials;
  readonly kubeconfig: string;
  readonly token: string;
  readonly bundle: SecretsBundle;
}

// One cluster's life: each step goes on where the one before it ended.
describeKubernetesLife("a rotation of all secrets on three control planes", (lab) => {
  const step = lifeSteps();
  let cluster: LifeCluster;
  let old: OldAccess;

  beforeAll(async () => {
    cluster = await LifeCluster.start(lab, wish);
    await makeWorkloads(cluster);
    const { credentials, kubeconfig } = cluster;
    const token = await requestToken(cluster);
    const bundle = await secretOf<SecretsBundle>("MachineSecrets", "secretsBundle");
    old = { credentials, kubeconfig, token, bundle };
  });

  afterAll(async () => {
    await cluster.close();
  });

  /** A secret output of a resource. */
  const secretOf = async <Value>(kind: string, output: string, name = ""): Promise<Value> => {
    const found = (await storedResources(cluster.stack.stack)).find(
      ({ type, urn }) => type.endsWith(`:${kind}`) && urn.includes(name),
    );
    const { plaintext = "{}" } = (found?.outputs?.[output] ?? {}) as {
      readonly plaintext?: string;
    };
    return JSON.parse(plaintext) as Value;
  };

  /** The cluster reaches a stage with an API server of three away at most, and its pods keep their access. */
  const reach = async (rotation: Rotation) => {
    cluster.want({ rotation });
    const run = await cluster.up();
    expect(run).toMatchObject({ succeeded: true });
    await cluster.awaitWell();
    await awaitWorkloads(cluster);
    expect(run.heard.mostAway).toBeLessThan(2);
    expect((await cluster.stack.preview()).steps).toEqual([]);
  };

  const tokenAnswers = async (token: string) =>
    Promise.all(wish.controlPlanes.map((name) => askWithToken(addressOf(name), token)));

  step("makes all accept both", async () => {
    await reach(rotationOf("accept", "accept"));
    expect(await tokenAnswers(old.token)).toEqual([200, 200, 200]);
  });

  step(
    "is killed while the second control plane begins to issue with the new ones, and completes that",
    async () => {
      cluster.want({ rotation: rotationOf("issue", "issue") });
      await cluster.stack.killedUp(beginsChangeOf("cp2"));
      await reach(rotationOf("issue", "issue"));
      expect(await tokenAnswers(old.token)).toEqual([200, 200, 200]);
    },
  );

  step("renews kubelets' certificates before the old Kubernetes CA goes", async () => {
    await reach(rotationOf("issue", "renew"));
  });

  step("refuses to drop the old ones while pods may hold tokens of them", async () => {
    const before = await cluster.truths();
    cluster.want({ rotation: rotationOf("drop", "drop") });
    const run = await cluster.up();
    expect(run).toMatchObject({ succeeded: false });
    expect(run.said).toMatch(
      /no machine was changed: .* may hold tokens of the old service account/,
    );
    expect(await cluster.truths()).toEqual(before);
    // It can be taken back, and begun again.
    await reach(rotationOf("issue", "renew"));
  });

  step(
    "is killed while the third control plane drops the old ones, and completes that",
    async () => {
      // They would hold tokens of the old key for as long as a kubelet keeps them: these are new ones.
      await restartPods(cluster);
      await cluster.awaitWell();
      await awaitWorkloads(cluster);
      cluster.want({ rotation: rotationOf("drop", "drop") });
      await cluster.stack.killedUp(beginsChangeOf("cp3"));
      await reach(rotationOf("drop", "drop"));
    },
  );

  step("refuses every old credential, on each machine", async () => {
    const { credentials, kubeconfig, token, bundle } = old;
    for (const name of machinesOf(wish)) {
      const client = TalosClient.connect({ endpoint: addressOf(name), credentials });
      await expect(client.version({ timeoutMs: 10_000 })).rejects.toThrow();
      client.close();
    }
    const next = await secretOf<CertificateAndKey>(
      "RotatedAuthority",
      "certificateAuthority",
      "etcd-ca",
    );
    for (const address of wish.controlPlanes.map(addressOf)) {
      const call = { address, port: 6443, timeoutMs: 10_000 };
      await expect(new KubernetesApi(kubeconfig).get("/version", call)).rejects.toThrow();
      const trusting = mixedKubeconfig(kubeconfig, cluster.kubeconfig);
      await expect(new KubernetesApi(trusting).get("/version", call)).rejects.toThrow(
        /401|certificate/,
      );
      await expect(
        callEtcd(address, bundle.certs.etcd, "/v3/maintenance/status", {}),
      ).rejects.toThrow();
      expect(await callEtcd(address, next, "/v3/maintenance/status", {})).toContain("dbSize");
      const stored = await storedInEtcd(address, next, "/registry/secrets/default/life");
      expect(stored).toMatch(/^k8s:enc:secretbox:v1:/);
    }
    expect(await tokenAnswers(token)).toEqual([401, 401, 401]);
    expect(await tokenAnswers(await tokenOfPod(cluster))).toEqual([200, 200, 200]);
    const [id = ""] = bundle.secrets.bootstraptoken.split(".");
    const secrets = await cluster.ask<{ items: { metadata: { name: string } }[] }>(
      "/api/v1/namespaces/kube-system/secrets",
    );
    expect(secrets.items.map(({ metadata }) => metadata.name)).not.toContain(
      `bootstrap-token-${id}`,
    );
  });
});

/** The user of an old kubeconfig, with trust in the servers of a new one. */
function mixedKubeconfig(old: string, current: string): string {
  const { users } = parse(old) as { readonly users: unknown };
  return stringify({ ...(parse(current) as object), users });
}
