import type { KnownChoices } from "../../components/addOns/addOnChoices";
import type { AddOnScope } from "../../components/addOns/common/addOnScope";
import { manifestOf } from "../../components/addOns/common/manifestOf";
import { fluxObjects } from "../../components/addOns/flux/fluxObjects";
import { ownObjects } from "../../components/addOns/ownObjects";
import { planOwnManifests } from "../../components/addOns/planOwnManifests";
import { podIdentityWebhook } from "../../components/addOns/podIdentityWebhook";
import { objectPath } from "../../provider/kubernetes/apiResources";
import type { KubernetesObject } from "../../provider/kubernetes/kubernetesObject";
import { ClusterObjects } from "../../provider/lifecycle/objects/clusterObjects";
import { CONTAINERS } from "../../provider/lifecycle/objects/pruneManifests";
import { deriveServingCertificate } from "../../provider/pki/deriveServingCertificate";
import { eventually } from "../emulator/support/eventually";
import { changed, everything, everythingChanged, objectsIn, scope } from "./support/addOnVariants";
import { fluxDefinitions } from "./support/fluxDefinitions";
import { describeWithKubernetesLab } from "./support/kubernetesLab";
import { type LabCluster, makeLabCluster } from "./support/labCluster";
import { LAB } from "./support/labRelease";
import { ServedResource } from "./support/servedResource";

const controlPlane = "10.7.0.2";

// What `addOnDelivery: "afterBootstrap"` brings. Images can't be pulled in the lab, so no pod starts.
describeWithKubernetesLab("add-ons' objects, delivered after the bootstrap", (lab) => {
  let lives: LabCluster;
  let found: ClusterObjects;
  let certificates = "";
  const objects = new ServedResource("KubernetesObjects");
  const where: AddOnScope = { ...scope, kubernetesVersion: LAB.kubernetes.next };

  const manifestsOf = (choices: KnownChoices, pods?: object) => {
    const webhook = ownObjects(podIdentityWebhook, where, pods ?? {}, { certificates });
    return [
      ...planOwnManifests(where, choices),
      ...(pods === undefined ? [] : [{ name: "webhook", contents: manifestOf(webhook) }]),
    ];
  };
  const up = (manifests: readonly { readonly name: string; readonly contents: string }[]) =>
    objects.up({
      nodes: [controlPlane],
      credentials: lives.credentials,
      timeoutSeconds: 600,
      inventory: "cluster",
      deleteContainers: false,
      awaitRollouts: false,
      kubernetesVersion: where.kubernetesVersion,
      manifests,
    });
  const find = async (object: KubernetesObject) => {
    const resource = await found.resourceOf(object);
    return resource && found.read<KubernetesObject>(objectPath(resource, object.metadata));
  };
  /** All of them are there, and others have changed none of them. */
  const areThere = async (manifests: ReturnType<typeof manifestsOf>) => {
    for (const { object } of objectsIn(manifests)) {
      expect(await find(object), `${object.kind} ${object.metadata.name}`).toBeDefined();
    }
    await objects.refresh();
    expect(await up(manifests)).toBe("same");
  };

  beforeAll(async () => {
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    lives = await makeLabCluster(lab, controlPlane);
    await lab.up(["cp1:2"]);
    const machine = new ServedResource("ConfigurationApply");
    await machine.up(lives.inputs("controlplane", controlPlane));
    const reach = { node: controlPlane, endpoint: controlPlane, credentials: lives.credentials };
    await new ServedResource("MachineBootstrap").up({ ...reach, timeoutSeconds: 600, peers: [] });
    const { crt } = await deriveServingCertificate(lives.secretsBundle.certs.k8s, [
      podIdentityWebhook.server.host,
    ]);
    certificates = crt;
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

  it(`are created by Kubernetes ${LAB.kubernetes.next}, and stay as they are`, async () => {
    const manifests = manifestsOf(everything, {});
    expect(await up(manifests)).toBe("created");
    await areThere(manifests);
  });

  it("are updated with each setting changed", async () => {
    const manifests = manifestsOf(everythingChanged, changed);
    expect(await up(manifests)).toBe("updated");
    await areThere(manifests);
    const controller = objectsIn(manifests).find(
      ({ object }) => object.metadata.name === "metrics-server" && object.kind === "Deployment",
    );
    expect(JSON.stringify(controller && (await find(controller.object)))).toContain('"--v=7"');
  });

  it("are the same again when the change is taken back", async () => {
    const manifests = manifestsOf(everything, {});
    expect(await up(manifests)).toBe("updated");
    await areThere(manifests);
  });

  it("are deleted with their add-ons, others stay", async () => {
    const [before, after] = [manifestsOf(everything, {}), manifestsOf({ metricsServer: {} })];
    expect(await up(after)).toBe("updated");
    await areThere(after);
    const kept = new Set(objectsIn(after).map(({ object }) => keyOf(object)));
    const gone = objectsIn(before).filter(({ object }) => !kept.has(keyOf(object)));
    expect(gone.length).toBeGreaterThan(30);
    // Namespaces and definitions stay, with what others have in them.
    for (const { object } of gone.filter((each) => !CONTAINERS.includes(each.object.kind))) {
      await eventually(async () => {
        expect(await find(object), keyOf(object)).toBeUndefined();
      });
    }
  });

  it("are accepted by Flux' definitions, and go without the add-on", async () => {
    const ofFlux = new ServedResource("KubernetesObjects");
    const where = (kind: string) => objectsWith({}).filter((object) => object.kind === kind);
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "flux-system" } };
    const objectsWith = (more: object) =>
      fluxObjects(scope, {
        url: "https://github.com/example/fleet",
        path: "clusters/lab",
        ...more,
      });
    const bring = (given: readonly KubernetesObject[]) =>
      ofFlux.up({
        nodes: [controlPlane],
        credentials: lives.credentials,
        timeoutSeconds: 600,
        inventory: "flux",
        deleteContainers: false,
        awaitRollouts: false,
        manifests: [
          { name: "definitions", contents: manifestOf([...fluxDefinitions(), namespace]) },
          { name: "followed", contents: manifestOf(given) },
        ],
      });
    expect(await bring(objectsWith({}))).toBe("created");
    await ofFlux.refresh();
    expect(await bring(objectsWith({}))).toBe("same");
    const everything = { interval: "5m", prune: false, tag: "v1", key: { password: "a-token" } };
    expect(await bring(objectsWith(everything))).toBe("updated");
    const [repository] = where("GitRepository");
    expect(repository && (await find(repository))).toMatchObject({
      spec: { interval: "5m", ref: { tag: "v1" } },
    });
    expect(await bring([])).toBe("updated");
    for (const object of objectsWith({})) {
      expect(await find(object), keyOf(object)).toBeUndefined();
    }
  });
});

function keyOf({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.namespace ?? ""}/${metadata.name}`;
}
