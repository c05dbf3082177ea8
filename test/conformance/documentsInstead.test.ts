import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import { applyPatches } from "../../provider/config/patches/patch";
import { validateDocuments } from "../../provider/config/validate";
import { decodeDocuments, encodeDocuments } from "../../provider/config/yaml/encode";
import { generateSecretsBundle } from "../../provider/pki/generateSecretsBundle";
import type { SecretsBundle } from "../../provider/pki/secretsBundle";
import { olderPatches, shownIn } from "../provider/config/rules/instead/olderPatches";
import { oracleSchema } from "./support/oracleRelease";
import { oracleMinors } from "./support/talosCode";
import { describeWithOracles } from "./support/withOracles";

const MINOR = "v1.14";

const title = "what is shown instead of a field that has a document, as Talos' own code takes it";
describeWithOracles(title, "instead", ({ oracle, secretInput }) => {
  const schema = oracleSchema(MINOR);
  let secretsBundle: SecretsBundle;

  beforeAll(async () => {
    secretsBundle = await secretInput("secrets bundle", () => generateSecretsBundle());
  });

  function configOf(versionContract: string, kubernetesVersion: string): string {
    const documents = generateMachineConfig({
      clusterName: "example",
      endpoint: "https://api.example.com:6443",
      machineType: "controlplane",
      secretsBundle,
      versionContract,
      kubernetesVersion,
      installDisk: "/dev/xvda",
      installerImage: "factory.talos.dev/aws-installer/abc:v1.14.1",
    });
    return encodeDocuments(documents, oracleSchema(versionContract));
  }

  test.each(olderPatches)("$patch", async ({ patch, field }) => {
    const config = configOf(MINOR, "1.37.0");
    const talos = oracle(MINOR);
    const { result: older = "" } = await talos.patch(config, [patch]);
    expect((await talos.validate(older, { strict: false })).refused).toBeDefined();
    const problems = validateDocuments(decodeDocuments(older, schema), { schema });
    const { message = "" } = problems.find(({ path }) => path === field) ?? {};

    const shown = shownIn(message);
    const { result: newer = "" } = await talos.patch(config, [shown]);
    const ours = applyPatches(decodeDocuments(config, schema), [shown], { schema });
    expect(encodeDocuments(ours, schema)).toBe(newer);
    expect(await talos.validate(newer, { strict: false })).toEqual({ result: [] });
  });

  // The oldest contract of these has every field.
  test.each(oracleMinors.filter((minor) => minor !== MINOR))(
    "the older patches are right for Talos %s",
    async (minor) => {
      const config = configOf("v1.10", "1.33.0");
      for (const { patch } of olderPatches) {
        const { result = "" } = await oracle(minor).patch(config, [patch]);
        expect(await oracle(minor).validate(result, { strict: false }), patch).toEqual({
          result: expect.anything() as unknown,
        });
      }
    },
  );
});
