import { fileErrors, fileRefusals } from "../../../../emulator/talos/config/fileRefusals";
import { machineFacts } from "../../../../emulator/talos/config/machineFacts";
import { decodeDocuments } from "../../../../provider/config/yaml/encode";

const controlPlane = (cluster: string) =>
  decodeDocuments(`version: v1alpha1\nmachine: {type: controlplane}\ncluster: ${cluster}\n`);

const scheduler = (config: string) =>
  controlPlane(`{scheduler: {image: "a/kube-scheduler:v1.35.0", config: ${config}}}`);

const audit = (policy: string) =>
  controlPlane(`{apiServer: {image: "a/kube-apiserver:v1.35.0", auditPolicy: ${policy}}}`);

test("components end with the words of the real ones", () => {
  const words = "parallelism: Invalid value: 0: should be an integer value greater than zero";
  const documents = scheduler("{parallelism: 0}");
  expect(fileRefusals(documents, "v1.12.1")).toEqual({ scheduler: words });
  expect(machineFacts(documents)?.controlPlane.scheduler.refusedFile).toBe(words);
  expect(machineFacts(documents)?.controlPlane.apiServer.refusedFile).toBeUndefined();
});

test("an unknown field of the scheduler counts since Talos v1.13", () => {
  const documents = scheduler("{paralelism: 1}");
  expect(fileRefusals(documents, "v1.12.1")).toEqual({});
  expect(fileRefusals(documents, "v1.13.9")).toEqual({
    scheduler: 'strict decoding error: unknown field "paralelism"',
  });
});

test.each<readonly [string, ReturnType<typeof decodeDocuments>, number, Record<string, string>]>([
  [
    "an unknown field of an audit policy",
    audit("{apiVersion: audit.k8s.io/v1, kind: Policy, rule: []}"),
    12,
    {
      "kube-apiserver":
        'error generating configuration "auditpolicy.yaml" for "kube-apiserver": error unmarshaling audit policy configuration: strict decoding error: unknown field "rule"',
    },
  ],
  [
    "a value of another type of the scheduler",
    scheduler("{parallelism: many}"),
    12,
    {
      "kube-apiserver":
        'error generating configuration "scheduler-config.yaml" for "kube-scheduler": error unmarshaling scheduler configuration: unrecognized type: int32',
    },
  ],
  [
    "the same in a later Talos",
    scheduler("{parallelism: many}"),
    14,
    { "kube-scheduler": "error unmarshaling scheduler configuration: unrecognized type: int32" },
  ],
])("Talos can't write %s", (_, documents, minor, errors) => {
  expect(fileErrors(documents, minor)).toEqual(errors);
});
