import { fileOfFlag, unreadableFile } from "../../../../emulator/talos/config/apiServerFiles";
import { decodeDocuments } from "../../../../provider/config/encode";
import { generateMachineConfig } from "../../../../provider/config/generateMachineConfig";
import type { ConfigDocument } from "../../../../provider/config/machineConfig";
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
      isReadable,
    });
    expect(unreadableFile(config)).toBe(isReadable ? undefined : FILE);
  });

  it("can't be read if it is missing", () => {
    expect(unreadableFile(configWith(""))).toBe(FILE);
  });

  it("can be read in a configuration that accepts two keys", () => {
    const [config = {}] = generateMachineConfig(
      inputWith("v1.12", {
        acceptedAuthorities: { secretboxKey: ["b2xk", "bmV3"], serviceAccountKey: ["cHVi"] },
      }),
    );
    expect(fileOfFlag(config, "service_account_key_file")?.isReadable).toBe(true);
    expect(unreadableFile(config)).toBeUndefined();
  });
});
