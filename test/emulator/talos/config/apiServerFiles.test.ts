import { fileFault, fileOfFlag } from "../../../../emulator/talos/config/apiServerFiles";
import { generateMachineConfig } from "../../../../provider/config/generateMachineConfig";
import type { ConfigDocument } from "../../../../provider/config/machineConfig";
import { decodeDocuments } from "../../../../provider/config/yaml/encode";
import { inputWith } from "../../../provider/config/generate/expectGenerated";

const FILE = "/var/log/audit/kube/keys.yaml";

const configWith = (files: string): ConfigDocument =>
  decodeDocuments(`version: v1alpha1
machine: { type: controlplane, files: [${files}] }
cluster: { apiServer: { extraArgs: { encryption_provider_config: ${FILE} } } }
`)[0] ?? {};

describe("a file that a flag of the API server names", () => {
  it.each([
    ["0o644", true],
    ["0o604", true],
    ["0o640", false],
    ["0o600", false],
  ])("with the permissions %s can be read: %s", (permissions, isReadable) => {
    const config = configWith(
      `{ path: ${FILE}, content: a, op: create, permissions: ${permissions} }`,
    );
    expect(fileOfFlag(config, "encryption_provider_config")).toEqual({
      path: FILE,
      content: "a",
      exists: true,
      isReadable,
    });
    expect(fileFault(config)).toBe(isReadable ? undefined : `open ${FILE}: permission denied`);
  });

  it("can't be read if it is missing", () => {
    expect(fileFault(configWith(""))).toBe(`open ${FILE}: no such file or directory`);
  });

  it.each([
    ["authentication-token-webhook-config-file", "/no/such/file", true],
    ["tracing_config_file", "/etc/kubernetes/tracing.yaml", true],
    // Talos' own folder, with what is in it.
    ["client-ca-file", "/system/secrets/kubernetes/kube-apiserver/ca.crt", false],
    // It is written, not read.
    ["audit-log-path", "/var/log/elsewhere/audit.log", false],
  ])("ends the API server if %s names %s: %s", (flag, path, ends) => {
    const [config = {}] = decodeDocuments(
      `version: v1alpha1\nmachine: { type: controlplane }\ncluster: { apiServer: { extraArgs: { ${flag}: ${path} } } }\n`,
    );
    expect(fileFault(config)).toBe(ends ? `open ${path}: no such file or directory` : undefined);
  });

  it("can be read in a configuration that accepts two keys", () => {
    const [config = {}] = generateMachineConfig(
      inputWith("v1.12", {
        acceptedAuthorities: { secretboxKey: ["b2xk", "bmV3"], serviceAccountKey: ["cHVi"] },
      }),
    );
    expect(fileOfFlag(config, "service_account_key_file")?.isReadable).toBe(true);
    expect(fileFault(config)).toBeUndefined();
  });
});
