import { contracts, expectGenerated, problemsOf } from "./expectGenerated";

const extraManifests = ["https://example.com/a.yaml", "http://10.0.0.1/b.yaml"];
const inlineManifests = [{ name: "namespace", contents: "kind: Namespace\n" }];

test.each(contracts)("%s has manifests on the machines that apply them", (contract) => {
  const options = { extraManifests, inlineManifests };
  expectGenerated(contract, options, { config: { cluster: options } });
  expectGenerated(contract, { ...options, machineType: "worker" }, {});
  expectGenerated(contract, { extraManifests: [], inlineManifests: [] }, {});
});

test.each(contracts)("%s makes nodes wait for a cloud controller manager", (contract) => {
  const enabled = { externalCloudProvider: { enabled: true } };
  const externalCloudProvider = { manifests: extraManifests };
  expectGenerated(contract, { externalCloudProvider: {} }, { config: { cluster: enabled } });
  expectGenerated(
    contract,
    { externalCloudProvider },
    {
      config: { cluster: { externalCloudProvider: { enabled: true, manifests: extraManifests } } },
    },
  );
  expectGenerated(
    contract,
    { machineType: "worker", externalCloudProvider },
    { config: { cluster: enabled } },
  );
});

test.each(contracts)("%s allows workloads on the control plane", (contract) => {
  const options = { allowSchedulingOnControlPlanes: true };
  expectGenerated(contract, options, { config: { cluster: options } });
  expectGenerated(contract, { ...options, machineType: "worker" }, {});
  expectGenerated(contract, { allowSchedulingOnControlPlanes: false }, {});
});

test("all problems are reported", () => {
  const no = 'is not a URL that can be fetched, like "https://example.com/manifest.yaml"';
  expect(
    problemsOf({
      extraManifests: ["a.yaml", "ftp://me:hunter2@example.com/b.yaml"],
      externalCloudProvider: { manifests: ["file:///b.yaml"] },
      inlineManifests: [
        { name: "a", contents: "" },
        { name: " ", contents: "" },
        { name: "a", contents: "" },
      ],
    }),
  ).toEqual([
    `extraManifests[0]: "a.yaml" ${no}`,
    `extraManifests[1]: "ftp://…@example.com/b.yaml" ${no}`,
    "inlineManifests[1].name: is empty: it identifies the manifest",
    'inlineManifests[2].name: "a" is there twice: give each manifest a unique name',
    `externalCloudProvider.manifests[0]: "file:///b.yaml" ${no}`,
  ]);
});
