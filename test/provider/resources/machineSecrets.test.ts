import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { MachineSecrets } from "../../../provider";
import type { SecretsBundle } from "../../../provider/pki/secretsBundle";
import { machineSecretsHandler as handler } from "../../../provider/resources/machineSecrets";
import { build } from "../../components/mockedGraph";
import { cheapBundle, machineConfigOf } from "../pki/secretsTexts";
import { silent } from "../progress";
import { expectNoSecrets, unknownValue } from "./samples";

const inputs = { versionContract: "v1.12", allowContractChange: false };

async function reasonsOf(
  olds: Parameters<typeof handler.check>[0],
  news: Parameters<typeof handler.check>[1],
): Promise<string[]> {
  const { failures } = await handler.check(olds, news);
  return failures.map(({ property, reason }) => `${property}: ${reason}`);
}

describe("the handler of MachineSecrets", () => {
  it("creates a bundle once and keeps it", async () => {
    const { id, state } = await handler.create(inputs, silent);
    expect(id).toBe("machine-secrets");
    expect(state.secretsBundle.certs.os.crt).not.toBe("");
    expect(handler.diff(id, state, inputs)).toEqual({ changes: false });
    const updated = await handler.update(
      id,
      state,
      { ...inputs, versionContract: "v1.13" },
      silent,
    );
    expect(updated).toEqual({ ...state, versionContract: "v1.13" });
    const other = await handler.create(inputs, silent);
    expect(other.state.secretsBundle.cluster.id).not.toBe(state.secretsBundle.cluster.id);
  });

  it("creates the contract's secrets", async () => {
    const { state } = await handler.create({ ...inputs, versionContract: "v1.2" }, silent);
    expect(Object.keys(state.secretsBundle.secrets)).toContain("aescbcencryptionsecret");
  });

  it("rejects an unknown contract", async () => {
    expect(await reasonsOf(undefined, { ...inputs, versionContract: "1.12.1" })).toEqual([
      'versionContract: write the version contract as "v1.12", not "1.12.1": it names a Talos minor, not a release',
    ]);
    expect(await reasonsOf(undefined, inputs)).toEqual([]);
  });

  it("freezes the contract; the error says what to do instead", async () => {
    const olds = { ...inputs, versionContract: "v1.11" };
    expect(await reasonsOf(olds, inputs)).toEqual([
      `versionContract: the version contract of this cluster is "v1.11" since its creation and can't be changed to "v1.12": set it back to "v1.11" (to upgrade the machines, change talosVersion instead), or set allowContractChange if Talos' upgrade notes say that this change is safe`,
    ]);
    expect(await reasonsOf(inputs, inputs)).toEqual([]);
  });

  it("lets the contract change if that is allowed, without changing a secret", async () => {
    const olds = { ...inputs, versionContract: "v1.6" };
    const news = { ...inputs, allowContractChange: true };
    const { inputs: checked, failures } = await handler.check(olds, news);
    expect(failures).toEqual([]);
    const { id, state } = await handler.create(olds, silent);
    // An update would make the secrets unknown in its preview.
    expect(handler.diff(id, state, checked)).toEqual({ changes: false });
    // From then on the new contract is the frozen one.
    expect(await reasonsOf(checked, inputs)).toEqual([]);
    expect(await reasonsOf(checked, olds)).toHaveLength(1);
  });

  it("lets it rise with the defaults of the former one, and go back", async () => {
    const risen = { ...inputs, versionContract: "v1.14", contractDefaults: "v1.12" };
    expect(await reasonsOf(inputs, risen)).toEqual([]);
    const { inputs: recorded } = await handler.check(inputs, risen);
    expect(recorded).toMatchObject({ versionContract: "v1.14", contractDefaults: "v1.12" });
    expect(await reasonsOf(recorded, risen)).toEqual([]);
    expect(await reasonsOf(recorded, inputs)).toEqual([]);
    const { id, state } = await handler.create(inputs, silent);
    expect(handler.diff(id, state, recorded)).toEqual({ changes: false });
    const others = ["v1.13", "v1.11"].map((contractDefaults) => ({ ...risen, contractDefaults }));
    for (const other of [...others, { ...inputs, versionContract: "v1.14" }]) {
      const [reason] = await reasonsOf(inputs, other);
      expect(reason).toContain('this cluster has the defaults of version contract "v1.12"');
    }
  });

  it("accepts an unknown contract", async () => {
    const news = { ...inputs, versionContract: unknownValue };
    expect(await reasonsOf(inputs, news)).toEqual([]);
  });
});

describe("the class MachineSecrets", () => {
  const made = async (importedSecrets: string) => {
    const args = { versionContract: "v1.12", importedSecrets };
    const { graph } = await build(() => new MachineSecrets("it", args));
    return graph.resources[0];
  };

  it("reads a secrets file in the program, and passes it on as a secret", async () => {
    const folder = mkdtempSync(join(tmpdir(), "secrets-test-"));
    try {
      writeFileSync(join(folder, "secrets.yaml"), "the text");
      const resource = await made(`@${join(folder, "secrets.yaml")}`);
      expect(resource?.inputs.importedSecrets).toBe("the text");
      expect(resource?.secretInputs).toEqual(["importedSecrets", "secretsBundle"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("passes on the name of an unreadable file, which the handler rejects", async () => {
    expect((await made("@/no/such/file"))?.inputs.importedSecrets).toBe("@/no/such/file");
  });
});

describe("imported secrets", () => {
  let bundle: SecretsBundle;
  let text: string;

  beforeAll(async () => {
    bundle = await cheapBundle();
    text = stringify(bundle);
  });

  const importing = (importedSecrets: string) => ({ ...inputs, importedSecrets });

  it("are the cluster's, known before the resource exists", async () => {
    const { inputs: checked, failures } = await handler.check(undefined, importing(text));
    expect(failures).toEqual([]);
    expect(checked).toMatchObject({ secretsBundle: bundle });
    expect((await handler.create(checked, silent)).state.secretsBundle).toEqual(bundle);
  });

  it("also bring an old cluster's contract", async () => {
    const { secretboxencryptionsecret: secret, ...rest } = bundle.secrets;
    const old = { ...bundle, secrets: { ...rest, aescbcencryptionsecret: secret } };
    const news = { ...importing(stringify(old)), versionContract: "v1.2" };
    const { inputs: checked, failures } = await handler.check(undefined, news);
    expect(failures).toEqual([]);
    expect((await handler.create(checked, silent)).state).toEqual({
      versionContract: "v1.2",
      secretsBundle: old,
    });
  });

  it("are only in the state once they are imported", async () => {
    const { inputs: first } = await handler.check(undefined, importing(text));
    const { inputs: second, failures } = await handler.check(first, importing(text));
    expect(failures).toEqual([]);
    expectNoSecrets(second, bundle);
    expect(Object.keys(second).sort()).toEqual([
      "allowContractChange",
      "importedSecretsHash",
      "versionContract",
    ]);
  });

  it("may be given in another form, removed, or given again", async () => {
    const { inputs: first } = await handler.check(undefined, importing(text));
    const config = stringify(machineConfigOf(bundle));
    for (const news of [importing(config), inputs, importing(unknownValue)]) {
      const { inputs: second, failures } = await handler.check(first, news);
      expect(failures).toEqual([]);
      expect(await reasonsOf(second, importing(text))).toEqual([]);
    }
  });

  it("can't be replaced by others", async () => {
    const { inputs: first } = await handler.check(undefined, importing(text));
    const other = stringify(await cheapBundle("other"));
    expect(await reasonsOf(first, importing(other))).toEqual([
      "importedSecrets: the secrets of this cluster were imported when it was created and can't be replaced, because its machines would not accept others: restore importedSecrets, or leave it out. To replace CAs of running machines, use rotation. After talosctl rotate-ca, import the new secrets as a MachineSecrets of another name",
    ]);
    expect(await reasonsOf(inputs, importing(text))).toEqual([
      expect.stringContaining("were generated when it was created"),
    ]);
  });

  it("are rejected with all their problems and the contract's", async () => {
    const broken = { ...bundle, trustdinfo: {}, cluster: { ...bundle.cluster, id: "x" } };
    const news = { ...importing(stringify(broken)), versionContract: "latest" };
    const reasons = await reasonsOf(undefined, news);
    expect(reasons).toEqual([
      expect.stringMatching(/^versionContract: "latest" is not a version contract/),
      expect.stringMatching(/^importedSecrets: cluster\.id: is not a cluster's id/),
      "importedSecrets: trustdinfo.token: is missing",
    ]);
    expectNoSecrets(reasons, bundle);
  });

  it("that name an unreadable file are rejected", async () => {
    expect(await reasonsOf(undefined, importing("@secrets.yaml"))).toEqual([
      `importedSecrets: the file "secrets.yaml" does not exist or can't be read: name it relative to the program's working folder`,
    ]);
  });

  it("that are expired when they are imported are rejected; later this is no problem", async () => {
    const { inputs: first } = await handler.check(undefined, importing(text));
    vi.useFakeTimers({ now: new Date("2040-01-01T00:00:00Z") });
    try {
      expect(await reasonsOf(undefined, importing(text))).toHaveLength(4);
      expect(await reasonsOf(first, importing(text))).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("that are unknown leave the secrets unknown in a preview", async () => {
    const { inputs: checked, failures } = await handler.check(undefined, importing(unknownValue));
    expect(failures).toEqual([]);
    expect(checked).toEqual(inputs);
  });
});
