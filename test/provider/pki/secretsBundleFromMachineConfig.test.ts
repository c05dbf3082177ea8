import { stringify } from "yaml";
import { importSecrets } from "../../../provider/pki/importSecrets";
import type { SecretsBundle } from "../../../provider/pki/secretsBundle";
import { secretsBundleFromMachineConfig } from "../../../provider/pki/secretsBundleFromMachineConfig";
import { expectNoSecrets } from "../resources/samples";
import { cheapBundle, machineConfigOf, problemsOf, resourceOf, validNow } from "./secretsTexts";

let bundle: SecretsBundle;
let config: ReturnType<typeof machineConfigOf>;

beforeAll(async () => {
  bundle = await cheapBundle();
  config = machineConfigOf(bundle);
});

const read = (text: string) => secretsBundleFromMachineConfig(text, validNow);

describe("a control plane's configuration", () => {
  test("gives the secrets that it was generated from", () => {
    expect(read(stringify(config))).toEqual(bundle);
    const hostname = stringify({ apiVersion: "v1alpha1", kind: "HostnameConfig", auto: "stable" });
    expect(read(`${hostname}---\n${stringify(config)}`)).toEqual(bundle);
  });

  test("gives them in the form of a machine's resource, as text or as YAML", () => {
    expect(read(resourceOf(stringify(config)))).toEqual(bundle);
    expect(read(resourceOf(config))).toEqual(bundle);
  });

  test("is read from the running configuration if the machine also shows the persistent one", async () => {
    const other = machineConfigOf(await cheapBundle("other"));
    const shown = `${resourceOf(stringify(other), "persistent")}---\n${resourceOf(stringify(config))}`;
    expect(read(shown)).toEqual(bundle);
  });

  test("is rejected with several machines", () => {
    const shown = `${resourceOf(stringify(config))}---\n${resourceOf(stringify(config))}`;
    expect(problemsOf(() => read(shown))).toEqual({
      "": "holds 2 machine configurations: give that of one control plane machine",
    });
  });

  test("is rejected with everything that is missing, by its own paths", () => {
    const { cluster, ...rest } = structuredClone(config);
    const { aggregatorCA, secret, secretboxEncryptionSecret, ...left } = cluster;
    const broken = { ...rest, cluster: { ...left, etcd: {}, token: "a.b" } };
    expect([aggregatorCA, secret, secretboxEncryptionSecret]).not.toContain(undefined);
    const problems = problemsOf(() => read(stringify(broken)));
    expect(Object.keys(problems).sort()).toEqual([
      "cluster.aggregatorCA",
      "cluster.etcd.ca",
      "cluster.secret",
      "cluster.secretboxEncryptionSecret",
      "cluster.token",
    ]);
    expectNoSecrets(problems, bundle);
  });

  test("with redacted secrets is rejected at each, with the reason", () => {
    const blank = JSON.parse(
      JSON.stringify(config, (key, value: unknown) =>
        key === "key" || key === "token" || key.toLowerCase().includes("secret") ? "******" : value,
      ),
    ) as object;
    const problems = problemsOf(() => read(stringify(blank)));
    expect(Object.keys(problems)).toHaveLength(10);
    for (const message of Object.values(problems)) {
      expect(message).toContain("is redacted");
    }
  });
});

test("a worker's configuration is rejected at once, with the reason", () => {
  const worker = { version: "v1alpha1", machine: { type: "worker" }, cluster: {} };
  expect(problemsOf(() => read(stringify(worker)))).toEqual({
    "machine.type": expect.stringContaining("workers don't have the keys") as string,
  });
});

test("a text without a machine configuration is rejected", () => {
  const problems = problemsOf(() => read("apiVersion: v1alpha1\nkind: HostnameConfig\n"));
  expect(problems[""]).toContain("holds 0 machine configurations");
});

describe("importSecrets", () => {
  test("reads either text by its content", () => {
    for (const text of [stringify(bundle), stringify(config), resourceOf(stringify(config))]) {
      expect(importSecrets(text, validNow)).toEqual(bundle);
    }
  });

  test("names problems by the paths of the given text", () => {
    const paths = (text: string) => Object.keys(problemsOf(() => importSecrets(text, validNow)));
    expect(paths("trustdinfo: {}")).toContain("trustdinfo.token");
    expect(paths("machine: { type: controlplane }")).toContain("machine.token");
  });
});
