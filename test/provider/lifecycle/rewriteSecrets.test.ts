import { KubernetesAccess } from "../../../provider/lifecycle/kubernetesAccess";
import { rewriteSecrets } from "../../../provider/lifecycle/rewriteSecrets";
import { rewrittenSecretsHandler } from "../../../provider/resources/rewrittenSecrets";
import {
  eventually,
  SimulatedCluster,
  type SimulatedNode,
} from "../../emulator/talos/simulatedCluster";
import { recordedProgress, silent } from "../progress";
import { machineAt } from "./deliveries";

let cluster: SimulatedCluster;
let node: SimulatedNode;

const store = () => cluster.world.kubernetesOf(cluster.secrets.cluster.id);

beforeEach(async () => {
  cluster = await SimulatedCluster.create();
  [node] = (await cluster.addConfigured(1)) as [SimulatedNode];
  await cluster.bootstrap(node, 1);
  await eventually(() => store() !== undefined);
});

afterEach(() => cluster.stop());

it("writes every Secret again, in pages, without changing it", async () => {
  const machine = await machineAt(cluster, node.address);
  const signal = AbortSignal.timeout(60_000);
  const access = await KubernetesAccess.open([machine], signal);
  const path = "/api/v1/namespaces/default/secrets";
  for (const name of ["one", "other"]) {
    const body = { apiVersion: "v1", kind: "Secret", metadata: { name }, stringData: { a: name } };
    await access.send({ method: "POST", path, body }, signal);
  }
  const before = await access.read<object>(path, signal);
  const wrote = vi.spyOn(store()?.encrypted ?? { wrote: () => undefined }, "wrote");
  const progress = recordedProgress();
  await rewriteSecrets({ controlPlanes: [machine], deadline: Date.now() + 60_000, progress });
  const written = wrote.mock.calls.map(([namespace, name]) => `${namespace}/${name}`);
  expect(written).toEqual(expect.arrayContaining(["default/one", "default/other"]));
  expect(written.join()).toContain("kube-system/bootstrap-token-");
  const after = await access.read<{ items: { data: object }[] }>(path, signal);
  expect(after.items).toEqual((before as typeof after).items);
  expect(progress.lines.join()).toContain("Secrets are encrypted with the current key");
});

it("is done by its resource only when another key encrypts", async () => {
  const machine = await machineAt(cluster, node.address);
  const { credentials } = machine;
  const given = { nodes: [node.address], credentials, generation: 1, timeoutSeconds: 60 };
  const { inputs, failures } = await rewrittenSecretsHandler.check(undefined, given);
  expect(failures).toEqual([]);
  const wrote = vi.spyOn(store()?.encrypted ?? { wrote: () => undefined }, "wrote");
  const { id, state } = await rewrittenSecretsHandler.create(inputs, silent);
  expect(state).toEqual({ generation: 1 });
  expect(wrote).toHaveBeenCalled();
  expect(rewrittenSecretsHandler.diff(id, state, inputs)).toEqual({ changes: false });
  const next = { ...inputs, generation: 2 };
  expect(rewrittenSecretsHandler.diff(id, state, next)).toEqual({ changes: true });
  expect(await rewrittenSecretsHandler.update(id, state, next, silent)).toEqual({ generation: 2 });
});
