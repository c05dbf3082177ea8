import { createServer, get } from "node:https";
import type { AddressInfo } from "node:net";
import type { KnownChoices } from "../../components/addOns/addOnChoices";
import { containersOf } from "../../components/addOns/addOnImages";
import type { ReplicatedAddOnPods } from "../../components/addOns/common/addOnPodsArgs";
import { SYSTEM_NAMESPACE } from "../../components/addOns/common/addOnScope";
import { certificateSecret } from "../../components/addOns/common/certificateSecret";
import { checkAddOnPods } from "../../components/addOns/common/checkAddOnPods";
import {
  ETCD_BACKUP_NAMESPACE,
  ETCD_BACKUP_ROLE,
  planEtcdBackupManifest,
} from "../../components/addOns/etcdBackup/planEtcdBackupManifest";
import { loadBalancerController } from "../../components/addOns/loadBalancerController";
import { metricsServer } from "../../components/addOns/metricsServer";
import { ownObjects } from "../../components/addOns/ownObjects";
import { planOwnManifests } from "../../components/addOns/planOwnManifests";
import { podIdentityWebhook } from "../../components/addOns/podIdentityWebhook";
import { planIssuerPatches } from "../../components/cluster/makers/makeIdentity";
import { discoveryDocument } from "../../components/identity/planIssuer";
import { waitFor } from "../../provider/api/waitFor";
import { inApplyOrder, objectPath } from "../../provider/kubernetes/apiResources";
import type { KubernetesObject } from "../../provider/kubernetes/kubernetesObject";
import { ClusterObjects } from "../../provider/lifecycle/objects/clusterObjects";
import { deriveServingCertificate } from "../../provider/pki/deriveServingCertificate";
import { issueCertificate } from "../../provider/pki/issueCertificate";
import { serviceAccountKeySet } from "../../provider/pki/jsonWebKeySet";
import { fromBase64 } from "../../provider/pki/pem";
import {
  changed,
  everything,
  manifests,
  objects,
  objectsIn,
  scope,
  three,
  variants,
} from "./support/addOnVariants";
import { describeWithKubernetesLab } from "./support/kubernetesLab";
import { type LabCluster, makeLabCluster } from "./support/labCluster";
import { ServedResource } from "./support/servedResource";

const controlPlane = "10.7.0.2";
const worker = "10.7.0.5";
/** This computer, as the lab's nodes see it. */
const LAB_HOST = "10.7.0.1";

/** Has calls of the webhook's service go to a port of this computer. */
const sliceTo = (port: number): KubernetesObject => ({
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  metadata: {
    name: "pod-identity-webhook-test",
    namespace: SYSTEM_NAMESPACE,
    labels: { "kubernetes.io/service-name": "pod-identity-webhook" },
  },
  addressType: "IPv4",
  ports: [{ name: "https", port, protocol: "TCP" }],
  endpoints: [{ addresses: [LAB_HOST] }],
});

/** What tells where an object is. */
type Addressed = Pick<KubernetesObject, "apiVersion" | "kind"> & {
  readonly metadata: { readonly name: string; readonly namespace?: string };
};

/** What pods a cluster has, and whether a kubelet has taken them. */
interface PodList {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly status: { readonly containerStatuses?: readonly object[] };
  }[];
}

// Images can't be pulled in the lab: what is shown is that the API server takes the objects, that its
// controllers make pods of them, and that changes reach it. One cluster's life, as in the other files.
describeWithKubernetesLab("this package's add-ons on real Kubernetes", (lab) => {
  let lives: LabCluster;
  let found: ClusterObjects;
  const machine = new ServedResource("ConfigurationApply");
  /** What API servers are told, once they are. */
  const issuer: object[] = [];

  /** Server-side apply of an object, in which an unknown field is an error. */
  const apply = async (object: Addressed, more: string) => {
    const resource = await found.resourceOf(object);
    if (resource === undefined) {
      throw new Error(`no kind ${object.kind}`);
    }
    const answer = await found.send({
      method: "PATCH",
      path: `${objectPath(resource, object.metadata)}?fieldManager=test&fieldValidation=Strict${more}`,
      contentType: "application/apply-patch+yaml",
      body: object,
    });
    expect(answer).toBeDefined();
  };

  beforeAll(async () => {
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    lives = await makeLabCluster(lab, controlPlane);
    await lab.up(["cp1:2", "w1:5"]);
    await machine.up(lives.inputs("controlplane", controlPlane));
    const reach = { node: controlPlane, endpoint: controlPlane, credentials: lives.credentials };
    await new ServedResource("MachineBootstrap").up({ ...reach, timeoutSeconds: 600, peers: [] });
    // For what only workers have.
    await new ServedResource("ConfigurationApply").up(lives.inputs("worker", worker));
    found = new ClusterObjects({
      controlPlanes: [reach],
      deadline: Date.now() + 1_200_000,
      progress: { report: () => undefined, warn: () => undefined },
    });
    await waitFor<undefined>({
      what: "the service account of pods",
      deadlineMs: 300_000,
      probe: async () => {
        const account = "/api/v1/namespaces/default/serviceaccounts/default";
        return (await found.read(account)) === undefined
          ? { done: false, status: "none" }
          : { done: true, value: undefined };
      },
    });
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await lab.down();
  });

  /** What the API server publishes, as an administrator reads it: it has types of its own. */
  const tell = async (path: string): Promise<unknown> => {
    const { k8s } = lives.secretsBundle.certs;
    const { crt, key } = await issueCertificate(k8s, {
      organizations: ["system:masters"],
      commonName: "test",
      usages: ["clientAuth"],
      notBefore: new Date(Date.now() - 60_000),
      notAfter: new Date(Date.now() + 600_000),
      keyType: "p256",
    });
    const [ca, cert, keyPem] = [k8s.crt, crt, key].map(fromBase64);
    return new Promise((resolve, reject) => {
      get(`https://${controlPlane}:6443${path}`, { ca, cert, key: keyPem }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          resolve(JSON.parse(Buffer.concat(chunks).toString()));
        });
      }).on("error", reject);
    });
  };
  const tokenFor = async (audiences: readonly string[]) => {
    const body = await found.send({
      method: "POST",
      path: "/api/v1/namespaces/default/serviceaccounts/default/token",
      body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { audiences } },
    });
    const { status } = JSON.parse(body ?? "{}") as { status: { token: string } };
    return status.token;
  };
  const part = (token: string, index: number) =>
    JSON.parse(Buffer.from(token.split(".")[index] ?? "", "base64url").toString()) as Record<
      string,
      unknown
    >;
  const isTaken = async (token: string) => {
    const body = await found.send({
      method: "POST",
      path: "/apis/authentication.k8s.io/v1/tokenreviews",
      body: {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenReview",
        spec: { token },
      },
    });
    return (JSON.parse(body ?? "{}") as { status: { authenticated?: boolean } }).status
      .authenticated;
  };

  it("publish the same keys as the API server", async () => {
    const published = serviceAccountKeySet(lives.secretsBundle);
    expect(await tell("/openid/v1/jwks")).toEqual(published);
    expect(part(await tokenFor([]), 0).kid).toBe(published.keys[0]?.kid);
  });

  it("issue tokens of the issuer that AWS knows, while older tokens are accepted", async () => {
    const former = await tokenFor([]);
    const endpoint = `https://${controlPlane}:6443`;
    expect(part(former, 1).iss).toBe(endpoint);
    const url = "https://lab-oidc.s3.eu-central-1.amazonaws.com";
    issuer.push(...planIssuerPatches(url, `${url}/openid/v1/jwks`, endpoint, "v1.12"));
    await machine.up(lives.inputs("controlplane", controlPlane, issuer));
    await waitFor<undefined>({
      what: "tokens of the new issuer",
      deadlineMs: 300_000,
      probe: async () => {
        const { iss } = part(await tokenFor(["sts.amazonaws.com"]), 1);
        return iss === url
          ? { done: true, value: undefined }
          : { done: false, status: String(iss) };
      },
    });
    const token = await tokenFor(["sts.amazonaws.com"]);
    expect(part(token, 1)).toMatchObject({
      iss: url,
      aud: ["sts.amazonaws.com"],
      sub: "system:serviceaccount:default:default",
    });
    expect(await isTaken(former)).toBe(true);
    expect(await isTaken(await tokenFor([]))).toBe(true);
    expect(await tell("/.well-known/openid-configuration")).toEqual(
      JSON.parse(
        JSON.stringify({
          ...(JSON.parse(
            discoveryDocument(url, serviceAccountKeySet(lives.secretsBundle)),
          ) as object),
          authorization_endpoint: undefined,
          claims_supported: undefined,
        }),
      ),
    );
  });

  it("are called by the API server with their own names", async () => {
    const { crt, key } = await deriveServingCertificate(lives.secretsBundle.certs.k8s, [
      podIdentityWebhook.server.host,
    ]);
    const [pem, keyPem] = [crt, key].map(fromBase64);
    const reviewed: string[] = [];
    // In place of the webhook, whose image isn't here: it sees the call, and lets the pod be.
    const server = createServer({ cert: pem, key: keyPem }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const review = JSON.parse(Buffer.concat(chunks).toString()) as {
          apiVersion: string;
          kind: string;
          request: { uid: string; namespace: string; resource: { resource: string } };
        };
        reviewed.push(`${request.url ?? ""} ${review.request.resource.resource}`);
        const { apiVersion, kind } = review;
        response.setHeader("Content-Type", "application/json");
        response.end(
          JSON.stringify({
            apiVersion,
            kind,
            response: { uid: review.request.uid, allowed: true },
          }),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, LAB_HOST, resolve));
    try {
      const port = (server.address() as AddressInfo).port;
      const secret = certificateSecret(podIdentityWebhook.server.secretName, { crt, key });
      const own = ownObjects(podIdentityWebhook, scope, {}, { certificates: crt });
      for (const object of [secret, ...own]) {
        const isService = object.kind === "Service";
        const spec = { ports: [{ name: "https", port: 443, targetPort: port }] };
        await apply(isService ? { ...object, spec } : object, "");
      }
      await apply(sliceTo(port), "");
      await waitFor<undefined>({
        what: "a call of the webhook",
        deadlineMs: 120_000,
        probe: async () => {
          await found.send({
            method: "POST",
            path: "/api/v1/namespaces/default/pods?dryRun=All",
            body: {
              apiVersion: "v1",
              kind: "Pod",
              metadata: { generateName: "asks-" },
              spec: { containers: [{ name: "a", image: "docker.io/library/busybox:1" }] },
            },
          });
          return reviewed.length > 0
            ? { done: true, value: undefined }
            : { done: false, status: "none" };
        },
      });
      expect(reviewed[0]).toMatch(/^\/mutate.* pods$/);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it("follow changed arguments in a running cluster, and are removed with them", async () => {
    const manifests = new ServedResource("KubernetesManifests");
    /** What an `up` does with the driver's manifest: the machine gets it, then the cluster. */
    const bring = async (choices: KnownChoices) => {
      const inlineManifests = planOwnManifests(scope, choices);
      await machine.up(
        lives.inputs("controlplane", controlPlane, [...issuer, { cluster: { inlineManifests } }]),
      );
      const inline = inlineManifests.map(({ name, contents }) => [name, { contents }] as const);
      return manifests.up({
        nodes: [controlPlane],
        credentials: lives.credentials,
        timeoutSeconds: 30,
        redactedConfiguration: { cluster: { inlineManifests: Object.fromEntries(inline) } },
      });
    };
    const classOf = () => found.read("/apis/storage.k8s.io/v1/storageclasses/gp3");
    expect(await bring({})).toBe("created");
    // Its pods never start here, which is what a run waits for.
    const noRollout = /ebs-csi-\S+ to be rolled out/;
    // Talos itself makes what isn't there.
    await expect(bring({ ebsCsi: {} })).rejects.toThrow(noRollout);
    expect(await classOf()).toBeDefined();
    const controller = "/apis/apps/v1/namespaces/kube-system/deployments/ebs-csi-controller";
    const change = bring({ ebsCsi: { extraArgs: { v: "7" }, storageClass: false } });
    await expect(change).rejects.toThrow(noRollout);
    expect(JSON.stringify(await found.read(controller))).toContain('"--v=7"');
    expect(await classOf()).toBeUndefined();
    expect(await bring({})).toBe("updated");
    expect(await found.read(controller)).toBeUndefined();
  });

  it("provide the certificate that the load balancer controller starts with", async () => {
    const { host = "", secretName = "" } = loadBalancerController.server ?? {};
    const made = await deriveServingCertificate(lives.secretsBundle.certs.k8s, [host]);
    const secret = certificateSecret(secretName, made);
    await apply(secret, "");
  });

  it("are accepted by its API server, field by field, dry and for real", async () => {
    expect(manifests).toHaveLength(Object.keys(everything).length);
    for (const { object } of inApplyOrder(objects)) {
      // What lies in a namespace that its own manifest makes can be tried only when that is there.
      if (object.metadata.namespace === SYSTEM_NAMESPACE) {
        await apply(object, "&dryRun=All");
      }
      await apply(object, "");
    }
  });

  it.each(variants)("are accepted %s", async (_what, where, choices, roles) => {
    const given = objectsIn(planOwnManifests(where, choices, roles));
    expect(given.length).toBeGreaterThan(objects.length * 0.9);
    for (const { object } of given) {
      await apply(object, "&dryRun=All");
    }
  });

  it("are accepted with each setting of the webhook", async () => {
    const { crt } = await deriveServingCertificate(lives.secretsBundle.certs.k8s, [
      podIdentityWebhook.server.host,
    ]);
    for (const object of ownObjects(podIdentityWebhook, three, changed, { certificates: crt })) {
      await apply(object, "&dryRun=All");
    }
  });

  // What a preview refuses of pods is what an API server would refuse, after the machines have changed.
  it.each<[string, ReplicatedAddOnPods]>([
    ["more than the limit", { resources: { requests: { cpu: "1" }, limits: { cpu: "999m" } } }],
    ["a resource that isn't", { resources: { requests: { ram: "1Gi" } } }],
    ["a toleration of a key that isn't", { tolerations: [{ key: "a b", value: "c" }] }],
    ["a toleration of a value that isn't", { tolerations: [{ key: "a", value: "b c" }] }],
    ["a toleration of nothing", { tolerations: [{}] }],
    [
      "a toleration that ends without ending pods",
      { tolerations: [{ operator: "Exists", tolerationSeconds: 60 }] },
    ],
    [
      "a toleration of any value of one",
      { tolerations: [{ key: "a", operator: "Exists", value: "b" }] },
    ],
  ])("are rejected with %s, here and in a preview", async (_what, addOn) => {
    expect(checkAddOnPods(addOn, { containers: containersOf(metricsServer) })).toHaveLength(1);
    const deployment = ownObjects(metricsServer, scope, addOn).find(
      ({ kind }) => kind === "Deployment",
    );
    await expect(apply(deployment as Addressed, "&dryRun=All")).rejects.toThrow(/422.*invalid/i);
  });

  it("take snapshots with credentials for the Talos API that Talos makes", async () => {
    const access = {
      enabled: true,
      allowedRoles: [ETCD_BACKUP_ROLE],
      allowedKubernetesNamespaces: [ETCD_BACKUP_NAMESPACE],
    };
    const feature = { machine: { features: { kubernetesTalosAPIAccess: access } } };
    await machine.up(lives.inputs("controlplane", controlPlane, [...issuer, feature]));
    const backup = {
      bucketName: "backups",
      folder: "lab",
      schedule: "0 */6 * * *",
      agePublicKey: "none",
      image: "ghcr.io/siderolabs/talos-backup:v0.1.0-beta.3",
    };
    const contents = planEtcdBackupManifest(backup, scope.region);
    for (const { object } of objectsIn([{ name: "etcd-backup", contents }])) {
      // Talos defines its kind a moment after it has the configuration.
      await waitFor<undefined>({
        what: `the kind of ${object.kind}`,
        deadlineMs: 120_000,
        probe: async () =>
          (await found.resourceOf(object)) === undefined
            ? { done: false, status: "none" }
            : { done: true, value: undefined },
      });
      await apply(object, "");
    }
    await waitFor<undefined>({
      what: "credentials for the Talos API",
      deadlineMs: 120_000,
      probe: async () => {
        const path = `/api/v1/namespaces/${ETCD_BACKUP_NAMESPACE}/secrets/etcd-backup`;
        const secret = await found.read<{ readonly data: { readonly config?: string } }>(path);
        return secret?.data.config === undefined
          ? { done: false, status: "none" }
          : { done: true, value: undefined };
      },
    });
  });

  it("become pods that a kubelet accepts", async () => {
    // No machine has a GPU.
    const workloads = objects.flatMap(({ manifest, object: { kind, metadata } }) =>
      /^(Deployment|DaemonSet)$/.test(kind) && manifest !== "nvidia-device-plugin"
        ? [metadata.name]
        : [],
    );
    expect(workloads).toHaveLength(14);
    await waitFor<undefined>({
      what: "pods",
      deadlineMs: 300_000,
      probe: async () => {
        const { items = [] } = (await found.read<PodList>("/api/v1/pods")) ?? {};
        const missing = workloads.filter(
          (name) =>
            !items.some(
              ({ metadata, status }) =>
                metadata.name.startsWith(`${name}-`) && status.containerStatuses !== undefined,
            ),
        );
        return missing.length === 0
          ? { done: true, value: undefined }
          : { done: false, status: missing.join() };
      },
    });
  });
});
