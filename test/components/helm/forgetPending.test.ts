import * as pulumi from "@pulumi/pulumi";
import { forgetPending } from "../../../components/helm/forgetPending";
import { KubernetesApi } from "../../../provider/kubernetes/kubernetesApi";
import { KubernetesAccess } from "../../../provider/lifecycle/kubernetes/kubernetesAccess";
import { machineAt } from "../../provider/lifecycle/deliveries";
import { build, valueOf } from "../mockedGraph";
import { type ObservedCluster, startObservedCluster } from "../workers/observedCluster";

const SECRETS = "/api/v1/namespaces/kube-system/secrets";

describe("what a killed run has left of Helm", () => {
  const { signal } = new AbortController();
  let observed: ObservedCluster;
  let access: KubernetesAccess;

  beforeAll(async () => {
    observed = await startObservedCluster();
    const { cluster, observer } = observed;
    const machine = await machineAt(cluster, observer.endpoint);
    access = new KubernetesAccess(new KubernetesApi(observer.kubeconfig), machine);
  });
  afterAll(() => observed.cluster.stop());

  const record = (name: string, version: number, status: string) =>
    access.send(
      {
        method: "POST",
        path: SECRETS,
        body: {
          apiVersion: "v1",
          kind: "Secret",
          type: "helm.sh/release.v1",
          metadata: {
            name: `sh.helm.release.v1.${name}.v${version}`,
            labels: { owner: "helm", name, status, version: `${version}` },
          },
        },
      },
      signal,
    );
  const left = async () => {
    const selector = encodeURIComponent("owner=helm");
    const { items } = await access.read<{ items: { metadata: { name: string } }[] }>(
      `${SECRETS}?labelSelector=${selector}`,
      signal,
    );
    return items.map(({ metadata }) => metadata.name.replace("sh.helm.release.v1.", "")).sort();
  };
  const lines: string[] = [];
  const name = async (release: string, preview: boolean) => {
    vi.spyOn(pulumi.log, "warn").mockImplementation((line) => {
      lines.push(line);
      return Promise.resolve();
    });
    const { value } = await build(
      () => {
        const cluster = new pulumi.ComponentResource("talos-aws:index:TalosCluster", "c");
        const args = { chart: "./web", namespace: "kube-system" };
        const known = pulumi.all([observed.observer, ""]);
        return valueOf(pulumi.output(forgetPending(release, args, known, cluster)));
      },
      { preview },
    );
    vi.restoreAllMocks();
    return value;
  };

  it("stays in a preview", async () => {
    await record("web", 1, "deployed");
    await record("web", 2, "pending-upgrade");
    await record("other", 1, "pending-install");
    expect(await name("web", true)).toBe("web");
    expect(lines).toEqual([]);
    expect(await left()).toEqual(["other.v1", "web.v1", "web.v2"]);
  });

  it("is forgotten where a step has no end, for this release alone", async () => {
    expect(await name("web", false)).toBe("web");
    expect(await left()).toEqual(["other.v1", "web.v1"]);
    expect(lines).toEqual([
      'a run that was killed has left the Helm release "web" in the state pending-upgrade: that step is begun again',
    ]);
    expect(await name("web", false)).toBe("web");
    expect(lines).toHaveLength(1);
  });
});
