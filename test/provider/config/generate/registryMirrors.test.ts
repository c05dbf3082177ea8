import { contracts, expectGenerated, problemsOf } from "./expectGenerated";

const registryMirrors = {
  "ghcr.io": ["http://10.0.0.1:5000"],
  "*": ["https://all.example.com"],
  "docker.io": ["https://a.example.com", "https://b.example.com/v2/x"],
};

test.each(["v1.10", "v1.11"])("%s has mirrors in machine.registries", (contract) => {
  expectGenerated(
    contract,
    { registryMirrors },
    {
      config: {
        machine: {
          registries: {
            mirrors: {
              "*": { endpoints: ["https://all.example.com"] },
              "docker.io": { endpoints: ["https://a.example.com", "https://b.example.com/v2/x"] },
              "ghcr.io": { endpoints: ["http://10.0.0.1:5000"] },
            },
          },
        },
      },
    },
  );
});

test.each(["v1.12", "v1.13"])("%s has a document for each, by name", (contract) => {
  const kind = "RegistryMirrorConfig";
  expectGenerated(
    contract,
    { registryMirrors },
    {
      documents: [
        { kind, name: "*", endpoints: [{ url: "https://all.example.com" }] },
        {
          kind,
          name: "docker.io",
          endpoints: [{ url: "https://a.example.com" }, { url: "https://b.example.com/v2/x" }],
        },
        { kind, name: "ghcr.io", endpoints: [{ url: "http://10.0.0.1:5000" }] },
      ],
    },
  );
});

test.each(contracts)("%s has none by default", (contract) => {
  expectGenerated(contract, { registryMirrors: {} }, {});
});

test("all problems are reported, without a password", () => {
  expect(
    problemsOf({
      registryMirrors: {
        "docker.io": ["mirror.example.com", "https://ok"],
        "https://ghcr.io": ["oci://a", "https://user:pass@mirror"],
      },
    }),
  ).toEqual([
    'registryMirrors["docker.io"][0]: "mirror.example.com" is not the URL of a registry: write it with its scheme, like "https://mirror.example.com"',
    'registryMirrors["https://ghcr.io"]: "https://ghcr.io" is not a registry: write its host as images name it, like "docker.io", or "*" for all others',
    'registryMirrors["https://ghcr.io"][0]: "oci://a" is not the URL of a registry: write it with its scheme, like "https://mirror.example.com"',
    'registryMirrors["https://ghcr.io"][1]: has a user name or password in it: leave them out, and patch in credentials for the registry',
  ]);
});
