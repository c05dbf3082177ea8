import type { KubernetesStore } from "../../../../emulator/talos/kubernetes/kubernetesStore";
import { KubernetesApi, KubernetesApiError } from "../../../../provider/kubernetes/kubernetesApi";
import { KubernetesAccess } from "../../../../provider/lifecycle/kubernetes/kubernetesAccess";
import { rewriteSecrets } from "../../../../provider/lifecycle/rotation/rewriteSecrets";
import { SimulatedCluster, type SimulatedNode } from "../../../emulator/talos/simulatedCluster";
import { recordedProgress, silent } from "../../progress";
import { machineAt } from "../deliveries";

let cluster: SimulatedCluster;
let node: SimulatedNode;
let store: KubernetesStore;

beforeEach(async () => {
  cluster = await SimulatedCluster.create();
  [node] = (await cluster.addConfigured(1)) as [SimulatedNode];
  await cluster.bootstrap(node, 1);
  store = await cluster.kubernetes();
});

afterEach(async () => {
  vi.restoreAllMocks();
  await cluster.stop();
});

it("writes every Secret again, without reading one, and leaves it as it was", async () => {
  const machine = await machineAt(cluster, node.address);
  const signal = AbortSignal.timeout(60_000);
  const access = await KubernetesAccess.open([machine], signal);
  const path = "/api/v1/namespaces/default/secrets";
  const names = Array.from({ length: 12 }, (_, index) => `secret-${index}`);
  for (const name of names) {
    const body = { apiVersion: "v1", kind: "Secret", metadata: { name }, stringData: { a: name } };
    await access.send({ method: "POST", path, body }, signal);
  }
  const before = await access.read<{ items: object[] }>(path, signal);
  const wrote = vi.spyOn(store.encrypted, "wrote");
  const sent = vi.spyOn(KubernetesApi.prototype, "send");
  const progress = recordedProgress();
  await rewriteSecrets({ controlPlanes: [machine], deadline: Date.now() + 60_000, progress });
  const answers = await Promise.all(sent.mock.results.map(({ value }) => value as Promise<string>));
  expect(answers[1]).toContain("secret-1");
  expect(answers[1]).not.toContain('"data"');
  expect(sent.mock.calls.flatMap(([{ body }]) => (body === undefined ? [] : [body]))).toEqual(
    Array(wrote.mock.calls.length).fill({}),
  );
  const written = wrote.mock.calls.map(([namespace, name]) => `${namespace}/${name}`);
  expect(written).toEqual(expect.arrayContaining(names.map((name) => `default/${name}`)));
  expect(written.join()).toContain("kube-system/bootstrap-token-");
  expect((await access.read<typeof before>(path, signal)).items).toEqual(before.items);
  expect(progress.lines.join()).toContain("Secrets are encrypted with the current key");
});

it("goes through long lists page by page, and names a Secret that can't be written", async () => {
  const machine = await machineAt(cluster, node.address);
  const pages = [
    { metadata: { continue: "more/?" }, items: [nameOf("one")] },
    { metadata: {}, items: [nameOf("gone"), nameOf("refused")] },
  ];
  const asked: string[] = [];
  vi.spyOn(KubernetesApi.prototype, "send").mockImplementation(({ method, path }) => {
    asked.push(`${method} ${path}`);
    if (method === "GET") {
      return Promise.resolve(path === "/readyz" ? "ok" : JSON.stringify(pages.shift()));
    }
    return path.endsWith("/one")
      ? Promise.resolve("{}")
      : Promise.reject(
          new KubernetesApiError("the Kubernetes API answers", path.endsWith("/gone") ? 404 : 403),
        );
  });
  const rewrite = { controlPlanes: [machine], deadline: Date.now() + 60_000, progress: silent };
  await expect(rewriteSecrets(rewrite)).rejects.toThrow(
    'Secret "default/refused" can\'t be written again: the Kubernetes API answers',
  );
  expect(asked).toEqual([
    "GET /readyz",
    "GET /api/v1/secrets?limit=500",
    "GET /api/v1/secrets?limit=500&continue=more%2F%3F",
    ...["one", "gone", "refused"].map((name) => `PATCH /api/v1/namespaces/default/secrets/${name}`),
  ]);
});

function nameOf(name: string) {
  return { metadata: { namespace: "default", name } };
}
