import { parse } from "yaml";
import {
  type AddOnIdentities,
  type KnownChoices,
  planOwnManifests,
} from "../../components/cluster/addOns/planOwnManifests";
import { SYSTEM_NAMESPACE } from "../../components/cluster/addOns/objects/addOnScope";
import { certificateSecret } from "../../components/cluster/addOns/objects/certificateSecret";
import { manifestOf } from "../../components/cluster/addOns/objects/kubernetesObject";
import { LOAD_BALANCER_CONTROLLER_CERTIFICATE } from "../../components/cluster/addOns/objects/loadBalancerControllerObjects";
import { waitFor } from "../../provider/api/waitFor";
import type { KubernetesObject } from "../../provider/kubernetes/kubernetesObject";
import { inApplyOrder, objectPath } from "../../provider/kubernetes/apiResources";
import { ClusterObjects } from "../../provider/lifecycle/clusterObjects";
import { deriveServingCertificate } from "../../provider/pki/deriveServingCertificate";
import { describeWithKubernetesLab } from "./support/kubernetesLab";
import { type LabCluster, makeLabCluster } from "./support/labCluster";
import { ServedResource } from "./support/servedResource";

const controlPlane = "10.7.0.2";
const scope = {
  clusterName: "lab",
  region: "eu-central-1",
  kubernetesVersion: "v1.35.0",
  controlPlanes: 1,
  recordName: "k8s.lab.example.com",
};
const everything: KnownChoices = {
  cloudController: {},
  ebsCsi: {},
  clusterAutoscaler: { extraArgs: { v: "4" }, tolerations: [{ operator: "Exists" }] },
  loadBalancerController: { resources: { requests: { cpu: "50m" } } },
  externalDns: { zoneIds: ["Z0123456789ABCDEFGHIJ"] },
  servingCertificateApprover: { replicas: 2 },
  metricsServer: { replicas: 1, tolerations: [{ operator: "Exists" }] },
};
const roleArn = "arn:aws:iam::123456789012:role/lab";
const identities: AddOnIdentities = { ebsCsi: { roleArn }, cloudController: { roleArn } };
const manifests = planOwnManifests(scope, everything, identities);
const objects = [...manifests].flatMap(({ name, contents }) =>
  contents
    .split("---\n")
    .map((text) => ({ manifest: name, object: parse(text) as KubernetesObject })),
);

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

  /** Server-side apply of an object, in which an unknown field is an error. */
  const apply = async ({ object }: (typeof objects)[number], more: string) => {
    const resource = await found.resourceOf(object);
    if (resource === undefined) throw new Error(`no kind ${object.kind}`);
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
    await lab.up(["cp1:2"]);
    await machine.up(lives.inputs("controlplane", controlPlane));
    const reach = { node: controlPlane, endpoint: controlPlane, credentials: lives.credentials };
    await new ServedResource("MachineBootstrap").up({ ...reach, timeoutSeconds: 600, peers: [] });
    found = new ClusterObjects({
      controlPlanes: [reach],
      deadline: Date.now() + 1_200_000,
      progress: { report: () => undefined, warn: () => undefined },
    });
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await lab.down();
  });

  it("find the certificate that the load balancer controller starts with", async () => {
    const names = ["aws-load-balancer-controller.kube-system.svc"] as const;
    const made = await deriveServingCertificate({ cluster: { id: "", secret: "lab" } }, [...names]);
    const secret = certificateSecret(LOAD_BALANCER_CONTROLLER_CERTIFICATE, made);
    const object = parse(manifestOf([secret])) as KubernetesObject;
    await apply({ manifest: "certificate", object }, "");
  });

  it("are taken by its API server, field by field, dry and for real", async () => {
    expect(manifests).toHaveLength(7);
    for (const each of inApplyOrder(objects)) {
      // What lies in a namespace that its own manifest makes can be tried only when that is there.
      if (each.object.metadata.namespace === SYSTEM_NAMESPACE) {
        await apply(each, "&dryRun=All");
      }
      await apply(each, "");
    }
  });

  it("become pods that a kubelet takes", async () => {
    const names = objects.flatMap(({ object: { kind, metadata } }) =>
      /^(Deployment|DaemonSet)$/.test(kind) ? [metadata.name] : [],
    );
    expect(names).toHaveLength(8);
    await waitFor<undefined>({
      what: "pods",
      deadlineMs: 300_000,
      probe: async () => {
        const { items = [] } = (await found.read<PodList>("/api/v1/pods")) ?? {};
        const missing = names.filter(
          (name) =>
            !items.some(
              ({ metadata, status }) =>
                metadata.name.startsWith(`${name}-`) && status.containerStatuses !== undefined,
            ),
        );
        return missing.length === 0
          ? { done: true, value: undefined }
          : { done: false, seen: missing.join() };
      },
    });
  });
});
